internal import Settings
internal import Storage
internal import Timeline

/// An account on a server that the user wants to log in to.
struct KnownAccount {
  let settings: AccountSettings
  /// The account's user; nil before its first login.
  let identity: AccountIdentity?

  var name: AccountName { settings.name }

  /// The user's name without its server, such as `eve`; nil before the first login.
  private var userName: String? { identity.map { String($0.user.screenName.prefix { $0 != "@" }) } }

  /// The user as shown in a list of accounts.
  var user: String { userName.map { "@\($0)" } ?? "not authorised yet" }

  /// Returns whether the account's user has this name. Names are case-insensitive on servers.
  func isUser(_ name: String) -> Bool { userName?.lowercased() == name.lowercased() }

  /// Returns the accounts at a place, with their users.
  static func all(
    at place: AccountPlace, in accounts: [AccountSettings], _ storage: any StorageProvider
  ) -> [KnownAccount] {
    accounts.filter(place.contains).map {
      KnownAccount(settings: $0, identity: storage.identity(of: $0.name))
    }
  }
}
