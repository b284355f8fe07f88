internal import Platform
internal import Commands
internal import Settings

extension Command.Check: LocalCommand {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode {
    try context.write(
      checksArchive
        ? try ArchiveCheck(archives: try context.archives(), account: account).output()
        : try ConfigurationCheck(file: try context.configurationFile()).output())
  }
}

/// Prints the mistakes of the configuration, or that there are none.
struct ConfigurationCheck {
  let file: ConfigurationFile

  func output() throws(CommandFailure) -> CommandOutput {
    switch try file.result() {
    case .failure(let error):
      CommandOutput(
        file.lines(of: error).map { "\($0)\n" }.joined(), notes: [count(error.problems.count, "problem")],
        code: .configuration)
    case .success(let configuration):
      CommandOutput(
        "\(file.path): no problems, \(count(configuration.accounts.count, "account"))\n"
          + configuration.accounts.map(line).joined(), notes: openSecrets(in: configuration).map { [$0] } ?? [])
    }
  }

  /// What to say of secrets in a file that others can read; nil where there are none, or where it is private.
  private func openSecrets(in configuration: Configuration) -> String? {
    guard let facts = try? FileStatus.of(file.path), !facts.isPrivate else { return nil }
    let keys = configuration.accounts.compactMap { account in
      account.credentials.keyOfSecretInFile.map { "accounts.\(account.name).\($0)" }
    }
    guard !keys.isEmpty else { return nil }
    return
      "warning: others can read or change \(file.path) (mode \(String(facts.permissions, radix: 8))), and it holds "
      + "\(keys.joined(separator: ", ")). Run: chmod 600 '\(file.path)'"
  }

  private func line(_ account: AccountSettings) -> String {
    let cost = account.highestMonthlyCost.map { ", \($0)" } ?? ""
    return "\(account.name): \(account.provider)\(account.isEnabled ? "" : ", not enabled")\(cost)\n"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
