internal import Commands
internal import Folders
internal import JSON
internal import Keyring
internal import LocalCommands
internal import Platform
internal import Settings
internal import TerminalText

extension Command.Check: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let isJSON = context.invocation.isJSON
    return try context.write(
      checksArchive
        ? try ArchiveCheck(archives: try context.archives(), account: account).output(isJSON: isJSON)
        : try ConfigurationCheck(files: try context.configurationFiles(), keyring: try context.keyring())
          .output(isJSON: isJSON))
  }
}

/// `homeline check`: prints the configuration's errors, or a summary if there are none.
struct ConfigurationCheck {
  let files: ConfigurationFiles
  let keyring: TokenKeyring

  func output(isJSON: Bool) throws(CommandError) -> CommandOutput {
    switch try files.result() {
    case .failure(let error):
      let notes = [count(error.problems.count, "error")]
      if isJSON { return CommandOutput(json(problems: error.problems), notes: notes, code: .configuration) }
      return CommandOutput("\(error)\n", notes: notes, code: .configuration)
    case .success(let configuration):
      let warnings = openSecrets(in: configuration) + [keyringProblem(configuration)].compactMap(\.self)
      let notes = warnings.map { "warning: \($0)" }
      if isJSON { return CommandOutput(json(configuration.accounts, warnings: warnings), notes: notes) }
      return CommandOutput(
        "\(files.shownPath): no errors, \(count(configuration.accounts.count, "account"))\n"
          + configuration.accounts.map(line).joined(), notes: notes)
    }
  }

  private func json(
    _ accounts: [AccountSettings] = [], problems: [SettingsProblem] = [], warnings: [String] = []
  ) -> ProgramOutput {
    JSONDocument.output { json in
      json.member("configuration", files.shownPath)
      json.member("problems", list: problems) { json, problem in
        json.object { json in
          json.member("file", problem.file)
          json.member("line", problem.position.line)
          json.member("column", problem.position.column)
          json.member("key", problem.path.isEmpty ? nil : problem.path)
          json.member("message", problem.what)
        }
      }
      json.member("warnings", list: warnings) { $0.string($1) }
      json.member("accounts", list: accounts) { json, account in
        json.object { json in
          json.member("account", account.name.text)
          json.member("provider", account.provider)
          json.member("enabled", account.isEnabled)
          json.member("most_usd_a_month", account.highestMonthlyCost?.microUSD) { $0.raw(MicroUSD.text($1).utf8) }
        }
      }
    }
  }

  /// Returns a warning if tokens are to be encrypted, and the keyring or its key is not available; otherwise nil.
  private func keyringProblem(_ configuration: Configuration) -> String? {
    guard configuration.protection == .keyring else { return nil }
    do throws(SecretStoreError) {
      return try keyring.current() == nil
        ? "the keyring has no key for this installation. Run: homeline keyring enable" : nil
    } catch { return "\(error)" }
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
        "other users can read or change \(file) (mode \(String(status.permissions, radix: 8))), which contains "
        + "\(keys.filter { $0.file == file }.map(\.key).joined(separator: ", ")). Run: chmod 600 '\(file)'"
    }
  }

  private func line(_ account: AccountSettings) -> String {
    let cost = account.highestMonthlyCost.map { ", \($0)" } ?? ""
    return "\(account.name): \(account.provider)\(account.isEnabled ? "" : ", not enabled")\(cost)\n"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
