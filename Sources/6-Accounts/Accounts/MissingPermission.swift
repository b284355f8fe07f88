internal import Posting
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// A permission that the account's login lacks for timelines of a kind, and how the user can give it.
struct MissingPermission {
  /// The scope that the timelines need besides those for the home timeline; `nil` if they need none, or if the provider has no scopes.
  let scope: String?
  /// A sentence without a full stop, which ends with a command.
  let advice: String

  /// A login requests the scopes of the configured timelines, unless the account's own scopes leave them out.
  init(for kind: TimelineName.Kind, of account: Account) {
    let api: APIScopes? =
      if case .oauth2 = account.provider.authorization { APIScopes.of(account.provider.name) } else { nil }
    let scope = api?.scope(for: kind)
    self.scope = scope
    let isConfigured = account.settings.timelines.contains {
      $0.kind == kind || scope != nil && api?.scope(for: $0.kind) == scope
    }
    let isLeftOut = scope.map { scope in account.settings.scopes.map { !APIScopes.includes(scope, in: $0) } ?? false }
    advice =
      isConfigured || isLeftOut == true
      ? account.settings.advice(toPermit: scope)
      : "Add such a timeline to the account's \"timelines\" in the configuration, then run: homeline login \(account.name)"
  }

  /// Returns the sentences about it.
  /// - Parameters:
  ///   - action: what the login does not permit, such as `reading bookmarks`.
  ///   - said: what the server says; `nil` to leave it out.
  func message(_ action: String, _ said: String? = nil) -> String {
    let needs = scope.map { ", which needs the scope \($0)" } ?? ""
    return "The login does not permit \(action)\(needs)\(said.map { " (\($0))" } ?? ""). \(advice)"
  }
}
