package import Time

/// The operands and options of a command, with typed access to their values.
package struct Arguments: Sendable {
  /// The current time, from which ages such as `7d` are subtracted.
  package let now: Timestamp
  /// The time zone of times such as `18:00`.
  package let zone: LocalZone
  private let findNames: @Sendable () -> [String]
  private let command: String
  private let list: ArgumentList

  /// - Parameter commandNames: finds the names of the documented commands.
  init(
    _ list: ArgumentList, of command: String, commandNames: @escaping @Sendable () -> [String], now: Timestamp,
    zone: LocalZone
  ) {
    self.list = list
    self.command = command
    findNames = commandNames
    self.now = now
    self.zone = zone
  }

  /// The names of the documented commands. Finding them creates the documentation of all commands, which takes longer than most commands run.
  package var commandNames: [String] { findNames() }

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

  /// Returns the values of several repeatable options in the order they were written, each with the index of its option.
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
