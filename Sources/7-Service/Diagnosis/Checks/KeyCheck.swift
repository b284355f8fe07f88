internal import Folders
internal import Platform
internal import Secrets
internal import Settings

/// Checks whether the secrets for the accounts' applications can be read. Commands that print a secret are looked up but not run, because
/// they may prompt for a password.
struct KeyCheck: DiagnosticCheck {
  let name = "keys"

  func findings(in context: DiagnosticContext) -> [Finding] {
    guard context.configuration != nil else { return [.ok("unknown without a configuration")] }
    let resolver = SecretResolver(variables: context.variables, folders: context.folders)
    let problems = context.enabledAccounts.compactMap { account in
      Self.source(of: account).flatMap { Self.problem(account.name.text, $0, context, resolver) }
    }
    let sound = context.enabledAccounts.count - problems.count
    return problems
      + (sound > 0 ? [.ok("\(sound) \(harmless: sound == 1 ? "account has its" : "accounts have their") keys")] : [])
      + (context.enabledAccounts.isEmpty ? [.ok("no account is enabled")] : [])
  }

  private static func source(of account: AccountSettings) -> SecretSource? {
    switch account.credentials {
    case .oauth1(_, let source): source
    case .oauth2(_, let source): source
    case .builtIn, .selfRegistered: nil
    }
  }

  private static func problem(
    _ account: String, _ source: SecretSource, _ context: DiagnosticContext, _ resolver: SecretResolver
  ) -> Finding? {
    switch source {
    case .literal: return nil
    case .credential:
      // Only the service can see the credentials folder.
      guard context.variables["CREDENTIALS_DIRECTORY"] != nil else { return nil }
    case .command(let command):
      guard ProgramSearch.find(command[0], in: context.variables["PATH"] ?? "") == nil else { return nil }
      return .fault(
        "\(name: account): the program \(path: command[0]), which prints the secret, was not found",
        next: "Install it, or write its path into the configuration")
    case .file, .keyring: break
    }
    do throws(SecretError) {
      _ = try resolver.secret(from: source)
      return nil
    } catch { return .fault("\(name: account): \(foreign: "\(error)")") }
  }
}
