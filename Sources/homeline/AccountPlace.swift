internal import HomelineOAuth
internal import Settings
internal import Storage
internal import Timeline

/// The provider and server of an account.
struct AccountPlace {
  let provider: String
  /// The server; nil for a provider with servers of its own.
  let server: RequestURL?

  /// Returns whether an account in the configuration has the same provider and server.
  func contains(_ account: AccountSettings) -> Bool {
    guard account.provider == provider, let server else { return account.provider == provider }
    let origins =
      [account.server, account.issuer.flatMap { try? RequestURL($0) }] + account.endpoints.values.map { $0 }
    return origins.contains { $0?.origin == server.origin }
  }
}

/// An account at a server to which the user wants to log in.
struct KnownAccount {
  let settings: AccountSettings
  /// The account's user; nil before its first login.
  let identity: AccountIdentity?

  var name: AccountName { settings.name }

  /// The user's name without its server, such as `eve`; nil before the first login.
  private var userName: String? { identity.map { String($0.user.screenName.prefix { $0 != "@" }) } }

  /// The user as shown in a list of accounts.
  var user: String { userName.map { "@\($0)" } ?? "not authorised yet" }

  /// Returns whether the account's user has this name. Servers ignore letter case.
  func isUser(_ name: String) -> Bool { userName?.lowercased() == name.lowercased() }

  /// Returns those of the accounts that are at a place, with their users.
  static func all(
    at place: AccountPlace, in accounts: [AccountSettings], _ storage: any StorageProvider
  ) -> [KnownAccount] {
    accounts.filter(place.contains).map {
      KnownAccount(settings: $0, identity: storage.identity(of: $0.name))
    }
  }
}
