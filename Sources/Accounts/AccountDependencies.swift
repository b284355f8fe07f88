package import HTTPClient
package import Media
package import Providers
package import Publishing
package import Settings

/// An account's settings, and the objects derived from them. A reload replaces them. The dependencies belong to the account's queue as soon
/// as they are assigned to the account.
package struct AccountDependencies {
  package let settings: AccountSettings
  package let provider: any Provider
  /// The application's keys, which are needed only for requests to the provider.
  package let keys: ClientKeys
  package let transport: Client
  /// Hosts of pictures that may be on this machine or in a private network.
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

  /// Whether the other dependencies use another server or other keys. Results of earlier requests must then be discarded.
  func isAnotherIdentity(than others: AccountDependencies) -> Bool {
    settings.provider != others.settings.provider || settings.credentials != others.settings.credentials
      || settings.signatureMethod != others.settings.signatureMethod
      || provider.authorization != others.provider.authorization || provider.host != others.provider.host
  }

  /// The plan for requesting the account's timeline, in its initial state.
  package var plan: TimelinePlan {
    let traits = provider.traits
    let firstFill = settings.firstFillPosts ?? traits.firstFill
    return TimelinePlan(
      wanted: min(settings.keepPosts, firstFill ?? settings.keepPosts), pageSize: traits.pageSize, reach: traits.reach,
      isThrifty: settings.prices != nil)
  }
}

/// The objects shared by all accounts: the observers of results, the pictures, and the shutdown.
package struct Publishers: Sendable {
  package let views: ViewUpdater
  package let announcer: Announcer
  /// The pictures of all accounts; `nil` if no pictures are stored.
  package let media: MediaStore?
  /// How long the writing of a file may be postponed, so that several refreshes share one write.
  let gathering: Duration
  package let shutdown = Shutdown()

  package init(views: ViewUpdater, announcer: Announcer, media: MediaStore?, gathering: Duration) {
    self.views = views
    self.announcer = announcer
    self.media = media
    self.gathering = gathering
  }
}

/// Fetches pictures through an account. Belongs to the account's queue.
package protocol PictureFetcher: AnyObject {
  /// Requests the pictures on the page of an account or view, beginning with the pictures in the newest posts. This replaces the previous
  /// request for that page.
  func want(_ urls: [String], by owner: String)
  /// Calls back, on the account's queue, when every picture either is stored or cannot be fetched.
  func whenDone(_ body: @escaping () -> Void)
}

/// A pending login, as seen by its account. Belongs to the account's queue.
package protocol PendingLogin: AnyObject {
  /// Ends the login if it is still waiting for its user, and reports the reason to the user.
  func giveUp(_ reason: String)
}
