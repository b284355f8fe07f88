internal import Posting
package import Settings

/// Whether a token allows an account to set the read marks on its server, as `sync_marks` does.
package struct ReadMarkPermission: Sendable, Hashable {
  /// What the token does not allow, and which scope it lacks.
  package let problem: String
  /// What the user can do, without a final full stop.
  package let advice: String

  /// - Returns: `nil` if the account does not set read marks, or if the token allows it, as far as is known.
  /// - Parameters:
  ///   - token: the account's token; `nil` if there is none.
  ///   - wasRefused: whether the server has refused to set read marks with this token.
  package init?(missingFor account: AccountSettings, _ token: StoredToken?, wasRefused: Bool = false) {
    guard account.syncsMarks, let token, let scopes = APIScopes.of(account.provider),
      let scope = wasRefused
        ? scopes.scope(for: .setReadMarks)
        : scopes.missing(for: [.setReadMarks], from: token.grant.bearer?.scope).first
    else { return nil }
    problem = "the login does not allow homeline to set read marks on the server, which needs the scope \(scope)"
    advice = account.advice(toPermit: scope)
  }
}

extension AccountSettings {
  /// Returns how the user gives the account's login a scope, without a final full stop. A login requests the scopes that the account needs,
  /// unless the account's own scopes leave one out.
  package func advice(toPermit scope: String?) -> String {
    let login = "homeline login \(name)"
    if let scope, let scopes, !APIScopes.includes(scope, in: scopes) {
      return "Add it to the account's \"scopes\" in the configuration, then run: \(login)"
    }
    return "To log in again with this permission, run: \(login)"
  }
}
