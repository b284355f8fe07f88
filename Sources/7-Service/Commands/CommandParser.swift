package import Folders
internal import Platform
internal import Settings
package import Time

/// Parses a program's arguments using the command declarations in a registry.
package struct CommandParser: Sendable {
  private let registry: CommandRegistry

  package init(_ registry: CommandRegistry) { self.registry = registry }

  /// Parses the program's arguments.
  /// - Parameters:
  ///   - arguments: the program's arguments, without its name.
  ///   - now: the current time; ages such as `7d` are subtracted from it.
  ///   - zone: the time zone of times such as `18:00`.
  /// - Throws: `UsageError` for arguments that no command accepts.
  package func parse(
    _ arguments: [String], now: Timestamp, zone: LocalZone = .system
  ) throws(UsageError) -> Invocation {
    // --help takes precedence over all other arguments, even invalid ones.
    let beforeDashes = arguments.prefix { $0 != "--" }
    if beforeDashes.contains("--help") || beforeDashes.contains("-h") {
      let topic = beforeDashes.lazy.compactMap { registry.command(named: $0)?.name }.first
      return Invocation(Command.Help(topic: topic))
    }
    if beforeDashes.contains("--version") || beforeDashes.contains("-V") { return Invocation(Command.Version()) }

    let (before, command, after) = try split(arguments)
    let options = command.allOptions + GlobalOptions.all
    let list = try ArgumentList(
      before + after, options: options.map(\.description), of: command.name,
      adviceOnDashes: command.documentation.adviceOnDashes)
    let operands = command.operands
    let isOpen = operands.last?.count.isRepeated == true
    if list.operands.count > operands.count, !isOpen {
      throw UsageError("unexpected argument \(DisplayText.quoted(list.operands[operands.count]))", in: command.name)
    }
    if list.operands.count < operands.filter(\.count.isRequired).count {
      throw UsageError("\(command.name) needs \(operands.map(\.usage).joined(separator: " "))", in: command.name)
    }
    let sorted = Arguments(
      list, of: command.name, commandNames: { [registry] in registry.documentedNames }, now: now, zone: zone)
    var invocation = Invocation(
      try command.init(sorted), configurationFile: try sorted.value(GlobalOptions.configuration),
      isVerbose: sorted.has(GlobalOptions.verbose), isJSON: command.json != nil && sorted.isJSON)
    invocation.settled = SettledArguments(list, of: command.name, declared: options) { name, value in
      GivenArgument(text: value, label: name, now: now, zone: zone)
    }
    return invocation
  }

  /// Returns the command, and the arguments before and after its name. Only global options can precede the name.
  private func split(
    _ arguments: [String]
  ) throws(UsageError) -> (before: ArraySlice<String>, any CommandDeclaration.Type, after: ArraySlice<String>) {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-") {
      index += arguments[index] == GlobalOptions.configuration.description.name ? 2 : 1
    }
    let before = arguments[..<min(index, arguments.endIndex)]
    _ = try ArgumentList(before, options: GlobalOptions.all.map(\.description))
    guard index < arguments.endIndex else { throw UsageError("no command was given") }
    let name = arguments[index]
    guard let command = registry.command(named: name) else {
      throw .unknownCommand(name, among: registry.documentedNames)
    }
    return (before, command, arguments[(index + 1)...])
  }
}

extension CommandEnvironment {
  /// Returns the configuration file that a command line selects. With `-v`, prints its path on standard error.
  package func configurationFiles(_ invocation: Invocation) throws(CommandError) -> ConfigurationFiles {
    let files = ConfigurationFiles(invocation.configurationFile, in: try folders())
    if invocation.isVerbose { Terminal.say("homeline: the configuration is \(files.path)") }
    return files
  }
}
