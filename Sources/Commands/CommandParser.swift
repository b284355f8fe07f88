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
    let words = try ArgumentWords(before + after, options: options, of: command)
    let operands = command.operands.map(\.description)
    let isOpen = operands.last?.count.isRepeated == true
    if words.operands.count > operands.count, !isOpen {
      throw UsageError("unexpected argument \(Shown.quoted(words.operands[operands.count]))", in: command.name)
    }
    if words.operands.count < operands.filter(\.count.isRequired).count {
      throw UsageError("\(command.name) needs \(operands.map(\.usage).joined(separator: " "))", in: command.name)
    }
    let sorted = Arguments(words, of: command.name, in: registry, now: now)
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
    _ = try ArgumentWords(before, options: GlobalOptions.all.map(\.description), of: nil)
    guard index < arguments.endIndex else { throw UsageError("name a command") }
    let word = arguments[index]
    guard let command = registry.command(named: word) else { throw registry.unknownCommand(word) }
    return (before, command, arguments[(index + 1)...])
  }
}

extension CommandRegistry {
  func unknownCommand(_ word: String) -> UsageError {
    UsageError(
      "unknown command \(Shown.quoted(word))" + Shown.suggestion(for: word, among: documented.map { $0.name }))
  }
}

/// Arguments sorted into operands and options, not yet given a meaning (POSIX.1-2024 XBD 12.2, with long options, and with
/// options allowed after operands).
struct ArgumentWords: Sendable {
  private(set) var operands: [String] = []
  /// The values of each option in the order given; a switch has empty ones.
  private var values: [String: [String]] = [:]

  /// Sorts arguments. `--` ends the options; `-` alone is an operand; the value of an option is the next argument, whatever
  /// it looks like, or what follows `=`.
  init(
    _ arguments: ArraySlice<String>, options: [OptionDescription], of command: (any CommandDeclaration.Type)?
  ) throws(UsageError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let (name, given) = Self.split(argument)
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError(
          "unknown option \(Shown.plain(name))" + Shown.suggestion(for: name, among: options.map(\.name))
            + (name.hasPrefix("--") ? "" : command?.documentation.adviceOnDashes ?? ""), in: command?.name)
      }
      if option.placeholder == nil {
        if given != nil { throw UsageError("\(name) takes no value", in: command?.name) }
        values[name, default: []].append("")
      } else {
        guard let value = given ?? rest.popFirst() else {
          throw UsageError("\(option.usage): the value is missing", in: command?.name)
        }
        values[name, default: []].append(value)
      }
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func values(_ name: String) -> [String] { values[name] ?? [] }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
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

/// The arguments of a program have no meaning.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// The command whose help says more; nil when none was recognised.
  let command: String?

  package init(_ message: String, in command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// The message, and how to get help, as two lines.
  package var description: String {
    "homeline: \(message)\nSee: homeline help\(command.map { " \($0)" } ?? "")"
  }

  /// The same as a command's failure.
  package var failure: CommandFailure { CommandFailure(.usage, String(description.dropFirst("homeline: ".count))) }
}
