/// All of the user's settings, with every default filled in.
package struct Configuration: Sendable, Hashable {
  /// The maximum size of a configuration in bytes; a thousand accounts need less.
  package static let byteLimit = 1 << 20

  package var callback: CallbackSettings
  /// The accounts, in the order of the file.
  package var accounts: [AccountSettings]
  /// The views, in the order of the file.
  package var views: [ViewSettings]
  package var media: MediaSettings
  package var sandbox: SandboxSettings
  /// The web page; nil if the service does not open it by itself.
  package var web: WebSettings?
  package var protection: TokenProtection

  package init(
    callback: CallbackSettings = CallbackSettings(), accounts: [AccountSettings], views: [ViewSettings] = [],
    media: MediaSettings = MediaSettings(), sandbox: SandboxSettings = SandboxSettings(), web: WebSettings? = nil,
    protection: TokenProtection = .files
  ) {
    self.callback = callback
    self.accounts = accounts
    self.views = views
    self.media = media
    self.sandbox = sandbox
    self.web = web
    self.protection = protection
  }

  package subscript(name: AccountName) -> AccountSettings? { accounts.first { $0.name == name } }

  /// The accounts that the service refreshes.
  package var enabledAccounts: [AccountSettings] { accounts.filter { $0.isEnabled && $0.drive?.isServed != false } }

  /// The accounts that commands without an account show together: the enabled ones with a timeline.
  package var timelines: [AccountSettings] { enabledAccounts.filter { $0.hasTimeline() } }
}

extension Configuration {
  /// Returns the account that a command refers to: the named account, even if it is not enabled, or the only enabled one if no name is
  /// given.
  /// - Parameter isForPosting: whether the command publishes posts, so that drives and accounts without a timeline are left out.
  package func account(
    named name: String?, isForPosting: Bool = false
  ) throws(AccountChoiceError) -> AccountSettings {
    guard let name else {
      let posting = isForPosting ? timelines.filter { $0.drive == nil } : []
      let enabled = posting.isEmpty ? enabledAccounts : posting
      guard let account = enabled.first else { throw .noneEnabled(accounts.map(\.name)) }
      if enabled.count > 1 { throw .several(enabled.map(\.name)) }
      return account
    }
    if let account = accounts.first(where: { $0.name.text == name }) { return account }
    let (beginning, timeline) = TimelineKey.parts(of: name)
    if timeline != nil, let account = accounts.first(where: { $0.name.text == beginning }) {
      throw .isTimeline(name, of: account.name)
    }
    throw .unknown(name, accounts.map(\.name))
  }
}
