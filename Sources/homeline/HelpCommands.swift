internal import Commands
internal import Platform
internal import Settings
internal import Storage

extension Command.Version: LocalCommand {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode {
    try context.write(CommandOutput(Version.text + "\n"))
  }
}

extension Command.Help: LocalCommand {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode {
    try context.write(CommandOutput(HelpText(context.registry).text(of: topic)))
  }
}

extension Command.Complete: LocalCommand {
  func run(in context: CommandContext) throws(CommandFailure) -> ExitCode {
    let completion = Completion(context.registry) { kind in names(of: kind, context) }
    switch completion.offer(for: words) {
    case .files: return try context.write(CommandOutput(":files\n"))
    case .candidates(let candidates):
      let lines = candidates.map { "\(DisplayText.plain($0.word))\t\(DisplayText.plain($0.explanation))\n" }
      return try context.write(CommandOutput(bytes: Array(lines.joined().utf8)))
    }
  }

  /// The names that there are, by the configuration of `--config` in the words, or the usual one. No mistake in it matters here.
  private func names(of kind: CompletionKind, _ context: CommandContext) -> [String] {
    guard let file = try? context.environment.configurationFile(Invocation(self, configurationFile: configurationFile))
    else { return [] }
    let configuration = try? file.load()
    switch kind {
    case .view: return configuration?.views.map(\.name.text) ?? []
    case .account:
      let configured = configuration?.accounts.map(\.name.text) ?? []
      let found = (try? context.storage().accounts().map(\.text)) ?? []
      return configured + found.filter { !configured.contains($0) }
    case .none, .accountOrAll, .command, .file, .choices: return []
    }
  }

  /// The value of `--config` among the words.
  private var configurationFile: String? {
    for (index, word) in words.enumerated().dropLast() {
      if word == "--config", index + 1 < words.count - 1 { return words[index + 1] }
      if word.hasPrefix("--config=") { return String(word.dropFirst("--config=".count)) }
    }
    return nil
  }
}
