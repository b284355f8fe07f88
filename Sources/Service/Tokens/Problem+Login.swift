internal import Settings
internal import Timeline

extension Problem {
  /// Nobody has logged in to the account.
  static func notAuthorisedYet(_ account: AccountName) -> Problem {
    Problem(code: .notAuthorised, message: "not authorised yet. Run: homeline login \(account)")
  }

  /// The provider's words do not know how a login is begun here.
  func withLoginHint(for account: AccountName) -> Problem {
    guard code == .notAuthorised else { return self }
    return Problem(code: code, message: "\(message) Run: homeline login \(account)", retryAt: retryAt)
  }
}
