internal import Commands
internal import Folders
internal import LocalCommands
internal import Platform
internal import Settings

/// `homeline login` without an argument: lists what it can log in to and, on a terminal, asks for a choice.
struct LoginChoice {
  let command: Command.Login
  let context: CommandContext

  /// Whether the user can be asked. A token on standard input does not count as an answer.
  private var asks: Bool {
    !command.acceptsProposals && !command.usesToken && Terminal.inputIsTerminal && Terminal.errorIsTerminal
  }

  /// Returns the name of an account or a server that the user has chosen; nil if there is nothing to choose, because the configuration
  /// has errors or exactly one account is enabled.
  /// - Parameter isUsable: returns the reason a name cannot be used, for the user; nil if it can.
  func target(_ objection: (String) -> String?) throws(CommandError) -> String? {
    let files = try context.configurationFiles()
    var accounts: [AccountName] = []
    if files.exist {
      guard case .success(let configuration) = try files.result() else { return nil }
      let enabled = configuration.enabledAccounts
      if enabled.count == 1 { return nil }
      accounts = (enabled.isEmpty ? configuration.accounts : enabled).map(\.name)
    }
    let names = accounts.map(\.text)
    let others = Command.Login.otherTargets
    guard asks else {
      let known = names.isEmpty ? "" : "an account (\(names.joined(separator: ", "))), "
      throw CommandError(
        .usage,
        "homeline login needs a name: \(known)a server such as social.example, or one of "
          + others.map(\.name).joined(separator: ", "))
    }
    show(
      names.map { ($0, "your account") } + [("a server", "such as social.example")] + others,
      under: names.isEmpty ? "there is no account yet" : "specify the account")
    while true {
      guard let line = try answer() else { throw CommandError(.usage, "the input ended; nothing was changed") }
      if line.isEmpty { continue }
      guard let objection = objection(line) else { return line }
      say(objection)
    }
  }

  private func answer() throws(CommandError) -> String? {
    do throws(SystemError) { return try Terminal.ask("Log in to: ") } catch { throw CommandError(error) }
  }

  /// Lists the choices in two columns, which fit in 40 columns unless an account's name is long.
  private func show(_ choices: [(name: String, explanation: String)], under title: String) {
    say("\(title).\nType one of these:")
    let width = choices.map(\.name.count).max() ?? 0
    for (name, explanation) in choices {
      Terminal.say("  \(name)\(String(repeating: " ", count: width - name.count))  \(explanation)")
    }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
