internal import Commands
internal import Folders
internal import JSON
internal import LocalCommands
internal import Platform
internal import Settings
internal import TerminalText

extension Command.Version: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    if context.invocation.isJSON {
      return try context.write(CommandOutput(JSONDocument.output { $0.member("version", Version.number) }))
    }
    return try context.write(CommandOutput(Version.text + "\n"))
  }
}

extension Command.Help: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    if let topic, Terminal.outputIsTerminal, opensPage(of: topic, context) { return .done }
    if topic == Self.configuration {
      return try context.write(
        CommandOutput(
          "The configuration is described in homeline-config(5), which man(1) does not find here. "
            + "An example: homeline init\n"))
    }
    return try context.write(
      CommandOutput(HelpText(context.registry, columns: context.environment.outputColumns).text(of: topic)))
  }

  /// How long man(1) may take to find a page.
  private static let timeout = Duration.seconds(5)

  /// Shows a manual page with man(1).
  /// - Returns: whether the page was shown; false if man(1) or the page is not installed.
  private func opensPage(of topic: String, _ context: CommandContext) -> Bool {
    let variables = context.environment.variables
    guard let man = ProgramSearch.find("man", in: variables["PATH"] ?? "") else { return false }
    let page = "homeline-\(topic)"
    do throws(SystemError) {
      let path = try Child.output(
        of: man, ["-w", page], environment: variables, limit: 4096, timeout: Self.timeout, discardsError: true)
      if path.isEmpty { return false }
      return try Child.runInForeground(man, [page], environment: variables) == 0
    } catch { return false }
  }
}

extension Command.Completions: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try context.write(CommandOutput(.data(OutputData(script: shell.script))))
  }
}

extension Command.Complete: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let completion = Completion(context.registry) { kind in names(of: kind, context) }
    switch completion.offer(for: arguments) {
    case .files: return try context.write(CommandOutput(":files\n"))
    case .candidates(let candidates):
      let lines = candidates.map { "\(DisplayText.plain($0.text))\t\(DisplayText.plain($0.explanation))\n" }
      return try context.write(CommandOutput(.data(OutputData(script: lines.joined()))))
    }
  }

  /// Returns the accounts or views in the configuration that the arguments select. An invalid configuration is treated as empty.
  private func names(of kind: CompletionKind, _ context: CommandContext) -> [String] {
    guard let file = try? context.environment.configurationFiles(Invocation(self, configurationFile: configurationFile))
    else { return [] }
    let configuration = try? file.load()
    switch kind {
    case .view: return configuration?.views.map(\.name.text) ?? []
    case .account, .timeline:
      let configured = configuration?.accounts ?? []
      let found = (try? context.layout().accounts()) ?? []
      let others = found.filter { name in !configured.contains { $0.name == name } }
      return configured.flatMap { kind == .timeline ? Self.timelines(of: $0) : [$0.name.text] } + others.map(\.text)
    case .none, .timelineOrAll, .accountOrServer, .command, .file, .choices: return []
    }
  }

  /// Returns the account's name, which is that of its home timeline, and its other timelines. A name that would not be shown as it is cannot
  /// be completed.
  private static func timelines(of account: AccountSettings) -> [String] {
    account.timelines.map { "\(TimelineKey(account: account.name, timeline: $0))" }.filter {
      DisplayText.plain($0) == $0
    }
  }

  /// The value of `--config` in the arguments.
  private var configurationFile: String? {
    for (index, argument) in arguments.enumerated().dropLast() {
      if argument == "--config", index + 1 < arguments.count - 1 { return arguments[index + 1] }
      if argument.hasPrefix("--config=") { return String(argument.dropFirst("--config=".count)) }
    }
    return nil
  }
}
