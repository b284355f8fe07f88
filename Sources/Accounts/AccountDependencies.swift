package import HTTPClient
package import Media
package import Providers
package import Publishing
package import Settings

/// With what an account is worked with: the settings and what follows from them. A reload brings others. Belongs to the account's
/// queue once the account has it.
package struct AccountDependencies {
  package let settings: AccountSettings
  package let provider: any Provider
  /// Nothing but asking the provider needs them.
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

  /// Whether the others ask somebody else, or in another name: then nothing that was asked by these may count.
  func isAnotherIdentity(than others: AccountDependencies) -> Bool {
    settings.provider != others.settings.provider || settings.credentials != others.settings.credentials
      || settings.signatureMethod != others.settings.signatureMethod
      || provider.authorization != others.provider.authorization || provider.host != others.provider.host
  }

  /// How its timeline is read, from the beginning.
  package var plan: TimelinePlan {
    let traits = provider.traits
    let firstFill = settings.firstFillPosts ?? traits.firstFill
    return TimelinePlan(
      wanted: min(settings.keepPosts, firstFill ?? settings.keepPosts), pageSize: traits.pageSize, reach: traits.reach,
      isThrifty: settings.prices != nil)
  }
}

/// What accounts have in common beside their providers: where what came of their work goes, beside those who asked for it, and their end.
package struct Publishers: Sendable {
  package let views: ViewUpdater
  package let announcer: Announcer
  /// The pictures of all accounts; `nil` where none are kept.
  package let media: MediaStore?
  /// How long files wait for further refreshes that are not written by each.
  let gathering: Duration
  package let shutdown = Shutdown()

  package init(views: ViewUpdater, announcer: Announcer, media: MediaStore?, gathering: Duration) {
    self.views = views
    self.announcer = announcer
    self.media = media
    self.gathering = gathering
  }
}

/// Who fetches pictures through an account. Belongs to the account's queue.
package protocol PictureFetcher: AnyObject {
  /// These stand on the owner's page now, the newest posts' first; what it wanted before is not wanted any more.
  func want(_ urls: [String], by owner: String)
  /// Calls back, on the account's queue, when none is missing any more, as far as they can be had.
  func whenDone(_ body: @escaping () -> Void)
}

/// A login as its account knows it. Belongs to the account's queue.
package protocol PendingLogin: AnyObject {
  /// Ends it if it still waits for its user, who is told why.
  func giveUp(_ reason: String)
}
