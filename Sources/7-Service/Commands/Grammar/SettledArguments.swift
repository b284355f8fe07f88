/// A command's arguments for another program that continues the command. They mean the same there, even if it starts later: times such as
/// `30m` become fixed times.
package struct SettledArguments: Sendable, Hashable {
  private let command: String
  private var options: [String] = []
  private var operands: [String] = []

  /// Creates the arguments of a command without options and operands.
  init(of command: String) { self.command = command }

  init(
    _ list: ArgumentList, of command: String, declared: [any DeclaredOption],
    settling: (String, String) -> GivenArgument
  ) {
    self.command = command
    operands = list.operands
    for (name, value) in list.written {
      guard let option = declared.first(where: { $0.description.name == name }) else { continue }
      options.append(name)
      if option.description.placeholder != nil { options.append(option.settled(settling(name, value))) }
    }
  }

  /// Adds an option, which takes precedence over an earlier one with the same name.
  package mutating func add(option: String, _ value: String? = nil) { options += [option] + [value].compactMap(\.self) }

  package mutating func add(operand: String) { operands.append(operand) }

  package mutating func replaceOperands(by others: [String]) { operands = others }

  /// The arguments: the command's name, its options and the global options, and its operands.
  package var all: [String] {
    let marksEnd = operands.contains { $0.hasPrefix("-") && $0 != "-" }
    return [command] + options + (marksEnd ? ["--"] : []) + operands
  }
}
