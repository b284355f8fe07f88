internal import CivilTime
package import Control
internal import Platform

/// The declaration of a command: its name, arguments and documentation. A value of the type contains the arguments of one call.
///
/// Each command is declared in one file of `Commands/Declarations` and listed in ``CommandRegistry/standard``. The parser, the help, the
/// manual pages and the shell completions are generated from the declaration. The command's behaviour is added by conformance to another
/// protocol. `OwnerCommand` is for a command that is sent to the owner of the state as a control request. `LocalCommand` (in homeline) is
/// for a command that runs without the process that owns the state. `DaemonProgramCommand` (in homelined) is for a command whose process
/// becomes the owner of the state.
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
  package static var allOptions: [any DeclaredOption] { options + (json == nil ? [] : [JSONOutput.flag]) }
}

/// A command that the owner of the state runs: the service, or a `homelined` started for this command.
package protocol OwnerCommand: CommandDeclaration {
  associatedtype Request: ControlRequest

  /// The control request that the command sends.
  var request: Request { get }

  /// Returns the command with any content that it must read before it is sent, such as from standard input.
  func completed() throws(CommandError) -> Self

  /// Creates the display for the events in the response.
  func makeDisplay(_ context: DisplayContext) -> any EventDisplay

  /// Whether the display is also used with `--json`, because the user must act. It then writes nothing to standard output.
  static var needsDisplay: Bool { get }

  /// Whether a `homelined` that was started for this command fetches the pictures of published pages before it exits.
  var waitsForPictures: Bool { get }

  /// The line to print if Ctrl-C ends the command, because its work may continue; nil if there is nothing to say.
  var interruptionNote: StaticString? { get }
}

extension OwnerCommand {
  package static var program: LibexecProgram? { .daemon }
  package static var needsDisplay: Bool { false }
  package var waitsForPictures: Bool { false }
  package var interruptionNote: StaticString? { nil }
  package func completed() throws(CommandError) -> Self { self }
}

/// The namespace of the command declarations.
package enum Command {}
