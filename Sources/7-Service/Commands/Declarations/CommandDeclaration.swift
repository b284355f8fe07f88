/// The declaration of a command: its name, arguments and documentation. A value of the type contains the arguments of one call.
///
/// Each command is declared in one file of `Commands/Declarations` and listed in ``CommandRegistry/standard``. The parser, the help, the
/// manual pages and the shell completions are generated from the declaration. The command's behaviour is added by conformance to another
/// protocol. `OwnerCommand` is for a command sent to the state owner as a control request. `LocalCommand` (in homeline) is for a
/// command that runs without the state owner. `DaemonProgramCommand` (in homelined) is for a command whose process becomes
/// the state owner.
package protocol CommandDeclaration: Sendable, Hashable {
  static var name: String { get }
  /// The documentation for the help, the manual and the completions.
  static var documentation: CommandDocumentation { get }
  static var operands: [OperandDescription] { get }
  static var options: [any DeclaredOption] { get }
  /// The command's output as JSON; nil if it has none.
  static var json: JSONOutput? { get }
  /// The program that runs the command if `homeline` cannot run it itself; nil if `homeline` always can.
  static var program: LibexecProgram? { get }

  /// Creates the command from its arguments.
  init(_ arguments: Arguments) throws(UsageError)
}

extension CommandDeclaration {
  package static var operands: [OperandDescription] { [] }
  package static var options: [any DeclaredOption] { [] }
  package static var json: JSONOutput? { nil }
  package static var program: LibexecProgram? { nil }

  /// The command's options, including `--json` if the command has JSON output.
  package static var allOptions: [any DeclaredOption] {
    var all = options
    if json != nil { all.append(JSONOutput.flag) }
    return all
  }
}
