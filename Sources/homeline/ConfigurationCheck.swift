internal import Commands
internal import ConfigurationStore
internal import Keyring
internal import Platform
internal import Settings

extension Command.Check: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try context.write(
      checksArchive
        ? try ArchiveCheck(archives: try context.archives(), account: account).output()
        : try ConfigurationCheck(files: try context.configurationFiles(), keyring: try context.keyring()).output())
  }
}

/// `homeline check`: prints the configuration's errors, or a summary if there are none.
struct ConfigurationCheck {
  let files: ConfigurationFiles
  let keyring: TokenKeyring

  func output() throws(CommandError) -> CommandOutput {
    switch try files.result() {
    case .failure(let error):
      CommandOutput(
        "\(error)\n", notes: [count(error.problems.count, "error")],
        code: .configuration)
    case .success(let configuration):
      CommandOutput(
        "\(files.shownPath): no errors, \(count(configuration.accounts.count, "account"))\n"
          + configuration.accounts.map(line).joined(),
        notes: openSecrets(in: configuration) + [keyringProblem(configuration)].compactMap(\.self))
    }
  }

  /// Returns a warning if tokens are to be encrypted, and the keyring or its key is not available; otherwise nil.
  private func keyringProblem(_ configuration: Configuration) -> String? {
    guard configuration.protection == .keyring else { return nil }
    do throws(SecretStoreError) {
      return try keyring.current() == nil
        ? "warning: the keyring has no key for this installation. Run: homeline keyring enable" : nil
    } catch { return "warning: \(error)" }
  }

  /// Returns a warning if the file contains a secret and other users can read or change it; otherwise nil.
  private func openSecrets(in configuration: Configuration) -> [String] {
    var keys: [(file: String, key: String)] = []
    for account in configuration.accounts {
      guard let key = account.credentials.keyOfSecretInFile else { continue }
      keys.append((files.file(of: account.name), "accounts.\(account.name).\(key)"))
    }
    return Set(keys.map(\.file)).sorted().compactMap { file in
      guard let status = try? FileStatus.of(file), !status.isPrivate else { return nil }
      return
        "warning: other users can read or change \(file) (mode \(String(status.permissions, radix: 8))), which contains "
        + "\(keys.filter { $0.file == file }.map(\.key).joined(separator: ", ")). Run: chmod 600 '\(file)'"
    }
  }

  private func line(_ account: AccountSettings) -> String {
    let cost = account.highestMonthlyCost.map { ", \($0)" } ?? ""
    return "\(account.name): \(account.provider)\(account.isEnabled ? "" : ", not enabled")\(cost)\n"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
