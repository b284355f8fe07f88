package import HTTPClient
package import Providers
package import Settings
package import Timeline

/// An account's settings, and the objects derived from them. A reload replaces them. Once assigned to the account, the dependencies belong
/// to its queue.
package struct AccountDependencies {
  package let settings: AccountSettings
  package let provider: any Provider
  /// The application's keys, which are needed only for requests to the provider.
  package let keys: ClientKeys
  package let transport: Client
  /// The hosts that pictures may be fetched from even if they are on this machine or in a private network.
  package let privateHosts: Set<String>

  package init(
    settings: AccountSettings, provider: any Provider, keys: ClientKeys, transport: Client,
    privateHosts: Set<String> = []
  ) {
    self.privateHosts = privateHosts
    self.settings = settings
    self.provider = provider
    self.keys = keys
    self.transport = transport
  }

  /// Returns whether the other dependencies use a different server or different keys. If so, the results of earlier requests must be
  /// discarded.
  func isAnotherIdentity(than others: AccountDependencies) -> Bool {
    settings.provider != others.settings.provider || settings.credentials != others.settings.credentials
      || settings.signatureMethod != others.settings.signatureMethod
      || !provider.authorization.isSame(as: others.provider.authorization) || provider.host != others.provider.host
  }

  /// Returns whether a login would request other scopes with the other dependencies.
  func requestsOtherScopes(than others: AccountDependencies) -> Bool {
    provider.authorization != others.provider.authorization
  }

  /// The properties of a timeline.
  func traits(of timeline: TimelineName) -> TimelineTraits { provider.traits(of: timeline) ?? .notOffered }

  /// The initial plan for requesting a timeline.
  package func plan(of timeline: TimelineName) -> TimelinePlan {
    let (traits, own) = (traits(of: timeline), settings[timeline])
    return TimelinePlan(
      wanted: own.firstFill(usual: traits.firstFill), pageSize: traits.pageSize, reach: traits.reach,
      isExact: settings.prices != nil || own.firstFillPosts != nil || traits.firstFill != nil)
  }
}
