internal import Settings
internal import Storage
internal import Time

/// Checks whether each enabled account has a valid token.
struct TokenCheck: DiagnosticCheck {
  let name = "tokens"

  /// A login valid for less than this causes a warning.
  private static let soon = Duration.seconds(7 * 86_400)

  func findings(in context: DiagnosticContext) -> [Finding] {
    let accounts = context.enabledAccounts.filter { $0.drive?.needsLogin != false }
    let problems = accounts.compactMap { account -> Finding? in
      let name = account.name.text
      do throws(StorageError) {
        guard let token = try context.storage.tokens(of: account.name).read() else {
          return .warning("\(name: name): not authorised", next: "To authorise it: homeline login \(name: name)")
        }
        return Self.problem(name, TokenLifetime(token), at: context.now)
          ?? ReadMarkPermission(missingFor: account, token).map {
            .warning("\(name: name): \(harmless: $0.problem)", next: "\(foreign: $0.advice)")
          }
      } catch { return .fault("\(name: name): \(foreign: "\(error)")") }
    }
    let sound = accounts.count - problems.count
    if accounts.isEmpty { return [.ok("no account needs a token")] }
    return problems
      + (sound > 0 ? [.ok("\(sound) \(harmless: sound == 1 ? "account is" : "accounts are") authorised")] : [])
  }

  static func problem(_ account: String, _ lifetime: TokenLifetime, at now: Timestamp) -> Finding? {
    let again: DiagnosticText = "Log in again: homeline login \(name: account)"
    if lifetime.refusal == .final, let end = lifetime.loginNeededBy, end > now {
      return .fault(
        "\(name: account): the server no longer renews the token, which expires at \(harmless: end.rfc3339)",
        next: again)
    }
    if lifetime.refusal == .final { return .fault("\(name: account): the token is no longer valid", next: again) }
    if let end = lifetime.loginNeededBy {
      if end <= now { return .fault("\(name: account): the token expired at \(harmless: end.rfc3339)", next: again) }
      if end - now < soon {
        return .warning("\(name: account): the login expires at \(harmless: end.rfc3339)", next: again)
      }
    }
    if lifetime.refusal == .repeated {
      return .warning("\(name: account): the server does not renew the token, and gives no reason", next: again)
    }
    return nil
  }
}
