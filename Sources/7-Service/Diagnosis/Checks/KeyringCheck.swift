internal import Folders
internal import Keyring
internal import Settings
internal import Storage

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
