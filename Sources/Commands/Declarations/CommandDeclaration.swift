internal import CivilTime
package import Control
package import Platform

/// One command: its name, its arguments, its documentation, and, as a value, the arguments that the user gave.
///
/// Each command is declared in one file of `Commands/Declarations` and listed in ``CommandRegistry/standard``. The parser, the help, the
/// manual pages and the shells' completions are made from the declaration. The work itself is declared by conformance to one more
/// protocol: `OwnerCommand` for a command that becomes a control request, `LocalCommand` (homeline) for one that needs no owner of the
/// state, `DaemonProgramCommand` (homelined) for one that is an owner itself.
package protocol CommandDeclaration: Sendable, Hashable {
  static var name: String { get }
  /// What the help and the manual say.
  static var documentation: CommandDocumentation { get }
  static var operands: [any DeclaredOperand] { get }
  static var options: [any DeclaredOption] { get }
  /// The program that does the work when `homeline` cannot; nil for a command that `homeline` always does itself.
  static var program: LibexecProgram? { get }

  /// Gives the arguments their meaning.
  init(_ arguments: Arguments) throws(UsageError)
}

extension CommandDeclaration {
  package static var operands: [any DeclaredOperand] { [] }
  package static var options: [any DeclaredOption] { [] }
  package static var program: LibexecProgram? { nil }
}

/// A command that the owner of the state does: the service, or `homelined` run for this command.
package protocol OwnerCommand: CommandDeclaration {
  associatedtype Request: ControlRequest

  /// The control request that the command becomes.
  var request: Request { get }

  /// Shows the events that answer the request.
  func makeDisplay(_ context: DisplayContext) -> any EventDisplay

  /// Whether an owner that was started for this command stays until the pictures of published pages are fetched.
  static var waitsForPictures: Bool { get }
}

extension OwnerCommand {
  package static var program: LibexecProgram? { .daemon }
  package static var waitsForPictures: Bool { false }
}

/// The headings under which commands are listed, in this order.
package enum CommandGroup: String, Sendable, Hashable, CaseIterable {
  case accounts = "Accounts"
  case reading = "Reading"
  case archive = "Archive"
  case service = "Service and configuration"
  case development = "Trying out and development"
  case help = "Help"
}

/// The documentation of a command.
package struct CommandDocumentation: Sendable {
  /// Nil hides the command from help, manual and completion: it is for scripts that come with homeline.
  package var group: CommandGroup?
  /// One line without a full stop.
  package var summary: String
  /// For `--help`, the manual page and the reference.
  package var description: [TextBlock]
  /// For the manual page and the reference only.
  package var details: [TextBlock]
  package var examples: [CommandExample]
  /// The exit codes that mean something particular here; 0, 64, 70, 74 and 78 can come from every command.
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// Advice after the message about an unknown option with one dash.
  package var adviceOnDashes: String

  package init(
    _ group: CommandGroup?, _ summary: String, description: [TextBlock], details: [TextBlock] = [],
    examples: [CommandExample] = [], exitCodes: [(code: ExitCode, meaning: String)] = [], adviceOnDashes: String = ""
  ) {
    self.group = group
    self.summary = summary
    self.description = description
    self.details = details
    self.examples = examples
    self.exitCodes = exitCodes
    self.adviceOnDashes = adviceOnDashes
  }
}

/// A command line with an explanation.
package struct CommandExample: Sendable, Hashable {
  package let line: String
  package let explanation: String

  package init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}

/// Documentation text. Text between backquotes is literal: the user types or sees it.
package enum TextBlock: Sendable, Hashable, ExpressibleByStringLiteral {
  case paragraph(String)
  /// A list of literal terms, each with its explanation.
  case terms([Term])
  /// Lines that are shown as they are.
  case code(String)

  package struct Term: Sendable, Hashable {
    package let term: String
    package let explanation: String

    package init(_ term: String, _ explanation: String) {
      self.term = term
      self.explanation = explanation
    }
  }

  package init(stringLiteral text: String) { self = .paragraph(text) }
}

/// The commands' declarations.
package enum Command {}
