internal import CivilTime
internal import Files
internal import Keyring
internal import Settings
internal import Storage

/// Checks whether each enabled account has a valid token.
struct TokenCheck: DiagnosticCheck {
  let name = "tokens"

  /// A login that is valid for less than this causes a warning.
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
      } catch { return .fault("\(name: name): \(foreign: "\(error)")") }
    }
    let sound = accounts.count - problems.count
    if accounts.isEmpty { return [.ok("no account needs a token")] }
    return problems
      + (sound > 0 ? [.ok("\(sound) \(harmless: sound == 1 ? "account is" : "accounts are") authorised")] : [])
  }

  static func problem(_ account: String, _ lifetime: TokenLifetime, at now: Timestamp) -> Finding? {
    let again: DiagnosticText = "Log in again: homeline login \(name: account)"
    if lifetime.refusal == .final { return .fault("\(name: account): the token is no longer valid", next: again) }
    if let end = lifetime.loginNeededBy {
      if end <= now { return .fault("\(name: account): the token expired at \(harmless: end.rfc3339)", next: again) }
      if end - now < soon {
        return .warning("\(name: account): the login expires at \(harmless: end.rfc3339)", next: again)
      }
    }
    if lifetime.refusal == .repeated {
      return .warning("\(name: account): the server refuses to renew the token", next: again)
    }
    return nil
  }
}

/// Checks whether the keyring has the key for the encrypted tokens, without starting or unlocking the keyring.
struct KeyringCheck: DiagnosticCheck {
  let name = "keyring"
  let timeLimit = Duration.seconds(10)

  func findings(in context: DiagnosticContext) -> [Finding] {
    let encrypted = context.accounts.filter { account in
      (try? context.storage.tokens(of: account.name).keyID()).flatMap(\.self) != nil
    }
    guard context.configuration?.protection == .keyring || !encrypted.isEmpty else { return [.ok("not used")] }
    let keyring = TokenKeyring(
      session: context.variables, stateFolder: context.layout.stateFolder, startsProvider: false)
    do throws(SecretStoreError) {
      guard let key = try keyring.current() else {
        return [.fault("the keyring has no key for this installation", next: "Run: homeline keyring enable")]
      }
      return [.ok("unlocked, with the key \(harmless: key.id)")]
    } catch {
      let problem: DiagnosticText = "\(foreign: "\(error)")"
      let next: DiagnosticText = "Unlock the keyring, or log in to the desktop session"
      return [encrypted.isEmpty ? .warning(problem, next: next) : .fault(problem, next: next)]
    }
  }
}
