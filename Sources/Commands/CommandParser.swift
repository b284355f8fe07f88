package import CivilTime
internal import Platform
internal import Settings

/// Gives the arguments of a program their meaning.
package enum CommandParser {
  /// - Parameters:
  ///   - arguments: without the program's own name.
  ///   - now: what ages, such as `7d`, are counted back from.
  package static func parse(_ arguments: [String], now: Timestamp) throws(UsageError) -> Invocation {
    // Asking for help is never wrong, whatever else stands there.
    let beforeDashes = arguments.prefix { $0 != "--" }
    if beforeDashes.contains("--help") || beforeDashes.contains("-h") {
      return Invocation(.help(beforeDashes.lazy.compactMap { CommandName(rawValue: $0) }.first))
    }
    if beforeDashes.contains("--version") { return Invocation(.version) }

    let (before, name, after) = try split(arguments)
    let words = try ArgumentWords(before + after, options: name.options + Option.global, of: name)
    let count = words.operands.count
    if count > name.operandCount.upperBound {
      throw UsageError(
        "unexpected argument \(Shown.quoted(words.operands[name.operandCount.upperBound]))", in: name)
    }
    if count < name.operandCount.lowerBound {
      throw UsageError("\(name.rawValue) needs \(name.operands)", in: name)
    }
    return Invocation(
      try ArgumentMeaning(words, of: name, now: now).command(), configurationFile: words.value("--config"),
      isVerbose: words.has("-v"))
  }

  /// The command's name and what stands before and behind it. Only what every command takes may stand before it.
  private static func split(
    _ arguments: [String]
  ) throws(UsageError) -> (before: ArraySlice<String>, CommandName, after: ArraySlice<String>) {
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index].hasPrefix("-") {
      index += arguments[index] == "--config" ? 2 : 1
    }
    let before = arguments[..<min(index, arguments.endIndex)]
    _ = try ArgumentWords(before, options: Option.global, of: nil)
    guard index < arguments.endIndex else { throw UsageError("name a command") }
    let word = arguments[index]
    guard let name = CommandName(rawValue: word) else {
      let known = CommandName.allCases.map(\.rawValue)
      throw UsageError("unknown command \(Shown.quoted(word))" + Shown.suggestion(for: word, among: known))
    }
    return (before, name, arguments[(index + 1)...])
  }
}

/// Arguments sorted into operands and options, not yet given a meaning (POSIX.1-2024 XBD 12.2, with long options, and with
/// options allowed behind operands).
struct ArgumentWords {
  private(set) var operands: [String] = []
  /// The values of each option in the order given; a switch has empty ones.
  private var values: [String: [String]] = [:]

  /// Sorts arguments. `--` ends the options; `-` alone is an operand; the value of an option is the next argument, whatever
  /// it looks like, or what follows `=`.
  init(_ arguments: ArraySlice<String>, options: [Option], of command: CommandName?) throws(UsageError) {
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
            + (name.hasPrefix("--") ? "" : command?.adviceOnDashes ?? ""), in: command)
      }
      if option.value == nil {
        if given != nil { throw UsageError("\(name) takes no value", in: command) }
        values[name, default: []].append("")
      } else {
        guard let value = given ?? rest.popFirst() else {
          throw UsageError("\(option.usage): the value is missing", in: command)
        }
        values[name, default: []].append(value)
      }
    }
  }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option; of several the last counts, so that an alias can be overruled.
  func value(_ name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

/// A command and what every command takes.
package struct Invocation: Sendable, Hashable {
  package var command: Command
  /// The file of `--config`, as given.
  package var configurationFile: String?
  package var isVerbose: Bool

  package init(_ command: Command, configurationFile: String? = nil, isVerbose: Bool = false) {
    self.command = command
    self.configurationFile = configurationFile
    self.isVerbose = isVerbose
  }
}

/// Arguments that mean no command.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// The command whose help says more; nil when none was recognised.
  let command: CommandName?

  package init(_ message: String, in command: CommandName? = nil) {
    self.message = message
    self.command = command
  }

  /// What is wrong, and where to look, as two lines.
  package var description: String {
    "homeline: \(message)\nSee: homeline help\(command.map { " \($0.rawValue)" } ?? "")"
  }

  /// The same as a command's failure.
  package var failure: CommandFailure { CommandFailure(.usage, String(description.dropFirst("homeline: ".count))) }
}
