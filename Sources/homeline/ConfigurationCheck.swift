internal import Commands
internal import Keyring
internal import Platform
internal import Settings

extension Command.Check: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try context.write(
      checksArchive
        ? try ArchiveCheck(archives: try context.archives(), account: account).output()
        : try ConfigurationCheck(file: try context.configurationFile(), keyring: try context.keyring()).output())
  }
}

/// `homeline check`: prints the configuration's errors, or a summary if there are none.
struct ConfigurationCheck {
  let file: ConfigurationFile
  let keyring: TokenKeyring

  func output() throws(CommandError) -> CommandOutput {
    switch try file.result() {
    case .failure(let error):
      CommandOutput(
        file.lines(of: error).map { "\($0)\n" }.joined(), notes: [count(error.problems.count, "error")],
        code: .configuration)
    case .success(let configuration):
      CommandOutput(
        "\(file.path): no errors, \(count(configuration.accounts.count, "account"))\n"
          + configuration.accounts.map(line).joined(),
        notes: [openSecrets(in: configuration), keyringProblem(configuration)].compactMap(\.self))
    }
  }

  /// A warning if tokens are to be encrypted, and the keyring or its key is not available; otherwise nil.
  private func keyringProblem(_ configuration: Configuration) -> String? {
    guard configuration.protection == .keyring else { return nil }
    do throws(SecretStoreError) {
      return try keyring.current() == nil
        ? "warning: the keyring has no key for this installation. Run: homeline keyring enable" : nil
    } catch { return "warning: \(error)" }
  }

  /// A warning if the file contains a secret and other users can read or change it; otherwise nil.
  private func openSecrets(in configuration: Configuration) -> String? {
    guard let status = try? FileStatus.of(file.path), !status.isPrivate else { return nil }
    let keys = configuration.accounts.compactMap { account in
      account.credentials.keyOfSecretInFile.map { "accounts.\(account.name).\($0)" }
    }
    guard !keys.isEmpty else { return nil }
    return
      "warning: other users can read or change \(file.path) (mode \(String(status.permissions, radix: 8))), which contains "
      + "\(keys.joined(separator: ", ")). Run: chmod 600 '\(file.path)'"
  }

  private func line(_ account: AccountSettings) -> String {
    let cost = account.highestMonthlyCost.map { ", \($0)" } ?? ""
    return "\(account.name): \(account.provider)\(account.isEnabled ? "" : ", not enabled")\(cost)\n"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
