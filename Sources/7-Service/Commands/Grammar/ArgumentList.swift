internal import Settings

/// Arguments split into operands and options, as strings (POSIX.1-2024 XBD 12.2). In addition, options can have long names and follow
/// operands.
struct ArgumentList: Sendable {
  private(set) var operands: [String] = []
  /// The options with their values, in order. The value of a flag is empty.
  private(set) var written: [(name: String, value: String)] = []

  /// Splits arguments. `--` ends the options, and `-` alone is an operand. An option's value follows `=` or is the next argument, even if
  /// that argument starts with a dash.
  /// - Parameters:
  ///   - command: the command's name, for errors.
  ///   - adviceOnDashes: text appended to the error about an unknown option with one dash, evaluated only for this error.
  /// - Throws: `UsageError` if an option is unknown, a value is missing, or a flag has a value.
  init(
    _ arguments: ArraySlice<String>, options: [OptionDescription], of command: String? = nil,
    adviceOnDashes: @autoclosure () -> String = ""
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
            + (name.hasPrefix("--") ? "" : adviceOnDashes()), in: command)
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
