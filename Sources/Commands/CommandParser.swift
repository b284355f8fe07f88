package import CivilTime
internal import Platform
internal import Settings

/// Gives the arguments of a program their meaning, by the declarations of a registry.
package struct CommandParser: Sendable {
  private let registry: CommandRegistry

  package init(_ registry: CommandRegistry) { self.registry = registry }

  /// - Parameters:
  ///   - arguments: without the program's own name.
  ///   - now: what ages, such as `7d`, are counted back from.
  package func parse(_ arguments: [String], now: Timestamp) throws(UsageError) -> Invocation {
    // A request for help is granted whatever else the arguments say.
    let beforeDashes = arguments.prefix { $0 != "--" }
    if beforeDashes.contains("--help") || beforeDashes.contains("-h") {
      let topic = beforeDashes.lazy.compactMap { registry.command(named: $0)?.name }.first
      return Invocation(Command.Help(topic: topic))
    }
    if beforeDashes.contains("--version") { return Invocation(Command.Version()) }

    let (before, command, after) = try split(arguments)
    let options = (command.options + GlobalOptions.all).map(\.description)
    let words = try ArgumentList(
      before + after, options: options, of: command.name, adviceOnDashes: command.documentation.adviceOnDashes)
    let operands = command.operands.map(\.description)
    let isOpen = operands.last?.count.isRepeated == true
    if words.operands.count > operands.count, !isOpen {
      throw UsageError("unexpected argument \(DisplayText.quoted(words.operands[operands.count]))", in: command.name)
    }
    if words.operands.count < operands.filter(\.count.isRequired).count {
      throw UsageError("\(command.name) needs \(operands.map(\.usage).joined(separator: " "))", in: command.name)
    }
    let sorted = Arguments(words, of: command.name, among: registry.documentedNames, now: now)
    return Invocation(
      try command.init(sorted), configurationFile: try sorted.value(GlobalOptions.configuration),
      isVerbose: sorted.has(GlobalOptions.verbose))
  }

  /// The command, and the arguments before and after its name. Only the options that every command takes can come before it.
  private func split(
    _ arguments: [String]
  ) throws(UsageError) -> (before: ArraySlice<String>, any CommandDeclaration.Type, after: ArraySlice<String>) {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-") {
      index += arguments[index] == GlobalOptions.configuration.description.name ? 2 : 1
    }
    let before = arguments[..<min(index, arguments.endIndex)]
    _ = try ArgumentList(before, options: GlobalOptions.all.map(\.description))
    guard index < arguments.endIndex else { throw UsageError("name a command") }
    let word = arguments[index]
    guard let command = registry.command(named: word) else {
      throw .unknownCommand(word, among: registry.documentedNames)
    }
    return (before, command, arguments[(index + 1)...])
  }
}

/// A command with the options that every command takes.
package struct Invocation: Sendable {
  package var command: any CommandDeclaration
  /// The file of `--config`, as given.
  package var configurationFile: String?
  package var isVerbose: Bool

  package init(_ command: any CommandDeclaration, configurationFile: String? = nil, isVerbose: Bool = false) {
    self.command = command
    self.configurationFile = configurationFile
    self.isVerbose = isVerbose
  }
}

extension Invocation: Equatable {
  package static func == (left: Invocation, right: Invocation) -> Bool {
    AnyHashable(left.command) == AnyHashable(right.command) && left.configurationFile == right.configurationFile
      && left.isVerbose == right.isVerbose
  }
}

extension CommandEnvironment {
  package func configurationFile(_ invocation: Invocation) throws(CommandFailure) -> ConfigurationFile {
    let file = ConfigurationFile(invocation.configurationFile, in: try folders())
    if invocation.isVerbose { Terminal.say("homeline: the configuration is \(file.path)") }
    return file
  }
}
