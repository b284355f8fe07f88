/// All that the user has set, with every default filled in.
package struct Configuration: Sendable, Hashable {
  /// The largest configuration that is read, in bytes: a thousand accounts stay below it.
  package static let byteLimit = 1 << 20

  package var callback: CallbackSettings
  /// In the order of the file.
  package var accounts: [AccountSettings]
  /// In the order of the file.
  package var views: [ViewSettings]
  package var media: MediaSettings

  package init(
    callback: CallbackSettings = CallbackSettings(), accounts: [AccountSettings], views: [ViewSettings] = [],
    media: MediaSettings = MediaSettings()
  ) {
    self.callback = callback
    self.accounts = accounts
    self.views = views
    self.media = media
  }

  package subscript(name: AccountName) -> AccountSettings? { accounts.first { $0.name == name } }

  /// The accounts that the service looks after.
  package var enabledAccounts: [AccountSettings] { accounts.filter(\.isEnabled) }
}
