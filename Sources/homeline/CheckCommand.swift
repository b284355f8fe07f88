internal import Platform
internal import Commands
internal import Settings

/// `homeline check`: its answer is what is wrong with the configuration, or that nothing is.
struct CheckCommand {
  let file: ConfigurationFile

  func answer() throws(CommandFailure) -> Answer {
    switch try file.result() {
    case .failure(let error):
      Answer(
        file.lines(of: error).map { "\($0)\n" }.joined(), notes: [count(error.problems.count, "problem")],
        code: .configuration)
    case .success(let configuration):
      Answer(
        "\(file.path): no problems, \(count(configuration.accounts.count, "account"))\n"
          + configuration.accounts.map(line).joined())
    }
  }

  private func line(_ account: AccountSettings) -> String {
    let cost = account.mostOfMonth.map { ", \($0)" } ?? ""
    return "\(account.name): \(account.provider)\(account.isEnabled ? "" : ", not enabled")\(cost)\n"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
