internal import CivilTime
package import Control
package import Platform

/// A command: its name, arguments and documentation, and, as a value, the arguments of one call.
///
/// Each command is declared in one file of `Commands/Declarations` and listed in ``CommandRegistry/standard``. The parser, the help, the
/// manual pages and the shell completions are made from the declaration. The work itself is declared by conformance to one more
/// protocol: `OwnerCommand` for a command that becomes a control request, `LocalCommand` (homeline) for one that needs no owner of the
/// state, `DaemonProgramCommand` (homelined) for one that becomes the owner.
package protocol CommandDeclaration: Sendable, Hashable {
  static var name: String { get }
  /// The documentation for the help, the manual and the completions.
  static var documentation: CommandDocumentation { get }
  static var operands: [any DeclaredOperand] { get }
  static var options: [any DeclaredOption] { get }
  /// The program that runs the command when `homeline` cannot; nil for a command that `homeline` always runs itself.
  static var program: LibexecProgram? { get }

  /// Reads the values of the arguments.
  init(_ arguments: Arguments) throws(UsageError)
}

extension CommandDeclaration {
  package static var operands: [any DeclaredOperand] { [] }
  package static var options: [any DeclaredOption] { [] }
  package static var program: LibexecProgram? { nil }
}

/// A command that the owner of the state runs: the service, or a `homelined` started for this command.
package protocol OwnerCommand: CommandDeclaration {
  associatedtype Request: ControlRequest

  /// The control request that the command sends.
  var request: Request { get }

  /// Makes the display for the events of the response.
  func makeDisplay(_ context: DisplayContext) -> any EventDisplay

  /// Whether an owner started for this command waits until it has fetched the pictures of published pages.
  static var waitsForPictures: Bool { get }
}

extension OwnerCommand {
  package static var program: LibexecProgram? { .daemon }
  package static var waitsForPictures: Bool { false }
}

/// The headings of the command lists, in order.
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
  /// Nil hides the command from help, manual and completion, for commands that only homeline's scripts run.
  package var group: CommandGroup?
  /// One line without a full stop.
  package var summary: String
  /// Text for `--help`, the manual page and the reference.
  package var description: [TextBlock]
  /// Text for the manual page and the reference only.
  package var details: [TextBlock]
  package var examples: [CommandExample]
  /// The exit codes with a special meaning for this command. Every command can exit with 0, 64, 70, 74 and 78.
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// Advice appended to the message about an unknown option with one dash.
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

/// Documentation text. Text between backquotes is literal, as the user types or sees it.
package enum TextBlock: Sendable, Hashable, ExpressibleByStringLiteral {
  case paragraph(String)
  /// A list of literal terms, each with its explanation.
  case terms([Term])
  /// Literal lines.
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

/// The namespace of the command declarations.
package enum Command {}
