internal import Settings

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
