package import CivilTime
internal import Settings

/// The operands and options of a command, with typed access to their values.
package struct Arguments: Sendable {
  /// The names of the documented commands.
  package let commandNames: [String]
  /// The current time, from which ages such as `7d` are subtracted.
  package let now: Timestamp
  /// The time zone of times such as `18:00`.
  package let zone: LocalZone
  private let command: String
  private let list: ArgumentList

  init(_ list: ArgumentList, of command: String, among commandNames: [String], now: Timestamp, zone: LocalZone) {
    self.list = list
    self.command = command
    self.commandNames = commandNames
    self.now = now
    self.zone = zone
  }

  /// Returns whether a flag was given.
  package func has(_ flag: Flag) -> Bool { list.has(flag.description.name) }

  package func has<Value>(_ option: Option<Value>) -> Bool { list.has(option.description.name) }

  /// Returns the value of an option, or its default. If an option is given several times, its last value is used, so that a user can
  /// override an alias.
  package func value<Value>(_ option: Option<Value>) throws(UsageError) -> Value? {
    guard let text = list.values(option.description.name).last else { return option.defaultValue }
    return try value(of: text, option.description.name, option.type)
  }

  /// Returns all values of a repeatable option, in order.
  package func values<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in list.values(option.description.name) {
      values.append(try value(of: text, option.description.name, option.type))
    }
    return values
  }

  /// Returns the values of several repeatable options in the order in which they were written, each with the index of its option.
  package func occurrences<Value>(of options: [Option<Value>]) throws(UsageError) -> [(option: Int, value: Value)] {
    var values: [(option: Int, value: Value)] = []
    for (name, text) in list.written {
      guard let index = options.firstIndex(where: { $0.description.name == name }) else { continue }
      values.append((index, try value(of: text, name, options[index].type)))
    }
    return values
  }

  /// Returns the value of an optional operand.
  package func value<Value>(_ operand: Operand<Value>) throws(UsageError) -> Value? {
    guard operand.position < list.operands.count else { return nil }
    return try value(of: list.operands[operand.position], operand.description.placeholder, operand.type)
  }

  /// Returns the value of a required operand. The parser has checked that the operand was given.
  package func required<Value>(_ operand: Operand<Value>) throws(UsageError) -> Value {
    try value(of: list.operands[operand.position], operand.description.placeholder, operand.type)
  }

  /// Returns the values of a repeatable operand.
  package func values<Value>(_ operand: Operand<Value>) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in list.operands.dropFirst(operand.position) {
      values.append(try value(of: text, operand.description.placeholder, operand.type))
    }
    return values
  }

  package func error(_ message: String) -> UsageError { UsageError(message, in: command) }

  private func value<Value>(
    of text: String, _ label: String, _ type: ArgumentType<Value>
  ) throws(UsageError) -> Value {
    do throws(ArgumentError) {
      return try type.parse(GivenArgument(text: text, label: label, now: now, zone: zone))
    } catch { throw self.error(error.message) }
  }
}

/// The text of an operand or of an option's value.
package struct GivenArgument: Sendable {
  package let text: String
  /// The option's name, or the operand's placeholder.
  package let label: String
  package let now: Timestamp
  /// The time zone of times without one.
  package let zone: LocalZone
}

/// The error if an argument's text is not a valid value of its type.
package struct ArgumentError: Error, Sendable {
  let message: String

  package init(_ message: String) { self.message = message }
}

/// The type of an operand or of an option's value, which determines how values are parsed, printed and completed.
package struct ArgumentType<Value: Sendable>: Sendable {
  /// The name of the value in the usage line, such as `SECONDS`.
  let placeholder: String
  let completion: CompletionKind
  let parse: @Sendable (GivenArgument) throws(ArgumentError) -> Value
  /// Returns a value as the user would type it.
  let text: @Sendable (Value) -> String

  package init(
    _ placeholder: String, _ completion: CompletionKind = .none,
    text: @escaping @Sendable (Value) -> String = { "\($0)" },
    parse: @escaping @Sendable (GivenArgument) throws(ArgumentError) -> Value
  ) {
    self.placeholder = placeholder
    self.completion = completion
    self.text = text
    self.parse = parse
  }
}

/// How a shell completes a value.
package enum CompletionKind: Sendable, Hashable {
  case none
  /// Accounts in the configuration, and accounts that have files.
  case account
  /// Accounts as for `account`, and `all`.
  case accountOrAll
  /// Accounts as for `account`, and other names that `homeline login` accepts.
  case accountOrServer
  /// Views in the configuration.
  case view
  case command
  case file
  case choices([String])
}

/// An option's documentation.
package struct OptionDescription: Sendable, Hashable {
  /// The name with its dashes, such as `--timeout`.
  package let name: String
  /// The name of the option's value in the usage line; nil for a flag.
  package let placeholder: String?
  /// The explanation, without the default.
  package let help: String
  let defaultText: String?
  package let completion: CompletionKind

  /// The option in the usage line, such as `--timeout SECONDS`.
  package var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// The explanation, including the default.
  package var helpWithDefault: String { help + (defaultText.map { " (default \($0))" } ?? "") }
}

/// An option with any type of value, or a flag.
package protocol DeclaredOption: Sendable {
  var description: OptionDescription { get }
  /// Returns a value that means the same at any later time: times such as `30m` become fixed ones.
  func settled(_ given: GivenArgument) -> String
}

extension DeclaredOption {
  package func settled(_ given: GivenArgument) -> String { given.text }
}

/// An option with a value.
package struct Option<Value: Sendable>: DeclaredOption {
  package let description: OptionDescription
  let type: ArgumentType<Value>
  let defaultValue: Value?

  /// - Parameter placeholder: the placeholder to use instead of the type's placeholder.
  package init(
    _ name: String, _ type: ArgumentType<Value>, placeholder: String? = nil, default defaultValue: Value? = nil,
    _ help: String
  ) {
    self.type = type
    self.defaultValue = defaultValue
    description = OptionDescription(
      name: name, placeholder: placeholder ?? type.placeholder, help: help, defaultText: defaultValue.map(type.text),
      completion: type.completion)
  }

  package func settled(_ given: GivenArgument) -> String {
    guard Value.self == Timestamp.self, let value = try? type.parse(given) else { return given.text }
    return type.text(value)
  }
}

/// An option without a value.
package struct Flag: DeclaredOption {
  package let description: OptionDescription

  package init(_ name: String, _ help: String) {
    description = OptionDescription(name: name, placeholder: nil, help: help, defaultText: nil, completion: .none)
  }
}

/// An operand's documentation.
package struct OperandDescription: Sendable, Hashable {
  package let placeholder: String
  package let count: OperandCount
  package let completion: CompletionKind

  /// The operand in the usage line: `ACCOUNT`, `[ACCOUNT]`, `ACCOUNT ...` or `[ACCOUNT ...]`.
  package var usage: String {
    let text = count.isRepeated ? "\(placeholder) ..." : placeholder
    return count.isRequired ? text : "[\(text)]"
  }
}

/// The number of values that an operand accepts.
package enum OperandCount: Sendable, Hashable {
  case one, optional, oneOrMore, zeroOrMore

  package var isRepeated: Bool { self == .oneOrMore || self == .zeroOrMore }
  package var isRequired: Bool { self == .one || self == .oneOrMore }
}

/// An operand with a value of one type.
package struct Operand<Value: Sendable>: Sendable {
  package let description: OperandDescription
  let type: ArgumentType<Value>
  /// The number of operands before this one.
  let position: Int

  package init(
    _ type: ArgumentType<Value>, _ count: OperandCount = .one, placeholder: String? = nil, at position: Int = 0
  ) {
    self.type = type
    self.position = position
    description = OperandDescription(
      placeholder: placeholder ?? type.placeholder, count: count, completion: type.completion)
  }
}

/// The options that every command accepts.
package enum GlobalOptions {
  package static let configuration = Option<String>(
    "--config", ArgumentType("FILE", .file) { (given) throws(ArgumentError) in given.text },
    "read this configuration instead of $XDG_CONFIG_HOME/homeline/config.json")
  package static let verbose = Flag("-v", "log progress to standard error")
  package static let help = Flag("--help", "show this help")
  package static let version = Flag("--version", "show the version; -V does the same")

  package static var all: [any DeclaredOption] { [configuration, verbose, help, version] }
}

/// Arguments split into operands and options, as texts (POSIX.1-2024 XBD 12.2). In addition, options can have long names and follow
/// operands.
struct ArgumentList: Sendable {
  private(set) var operands: [String] = []
  /// The options with their values, in order. The value of a flag is empty.
  private(set) var written: [(name: String, value: String)] = []

  /// Splits arguments. `--` ends the options, and `-` alone is an operand. An option's value follows `=` or is the next argument, even if
  /// that argument starts with a dash.
  /// - Parameters:
  ///   - command: the command's name, for errors.
  ///   - adviceOnDashes: a text that is appended to the error about an unknown option with one dash.
  /// - Throws: `UsageError` if an option is unknown, a value is missing, or a flag has a value.
  init(
    _ arguments: ArraySlice<String>, options: [OptionDescription], of command: String? = nil,
    adviceOnDashes: String = ""
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
          "unknown option \(DisplayText.plain(name))" + DisplayText.suggestion(for: name, among: options.map(\.name))
            + (name.hasPrefix("--") ? "" : adviceOnDashes), in: command)
      }
      if option.placeholder == nil {
        if given != nil { throw UsageError("\(name) does not take a value", in: command) }
        written.append((name, ""))
      } else {
        guard let value = given ?? rest.popFirst() else {
          throw UsageError("\(option.usage): the value is missing", in: command)
        }
        written.append((name, value))
      }
    }
  }

  func has(_ name: String) -> Bool { written.contains { $0.name == name } }

  func values(_ name: String) -> [String] { written.filter { $0.name == name }.map(\.value) }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}
