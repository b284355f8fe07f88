package import ControlProtocol

/// A command that the state owner runs: the service, or a `homelined` started for this command.
package protocol OwnerCommand: CommandDeclaration {
  associatedtype Request: ControlRequest

  /// The control request that the command sends.
  var request: Request { get }

  /// Whether `homelined` prepares the command before the state owner runs it: asks the user, reads files, or changes the configuration.
  static var isPrepared: Bool { get }

  /// Returns the command with any content that it must read before it is sent, such as from standard input.
  func completed() throws(CommandError) -> Self

  /// Creates the display for the events in the response.
  func makeDisplay(_ context: DisplayContext) -> any EventDisplay

  /// Whether the display is also used with `--json`, because the user must act. It then writes nothing to standard output.
  static var needsDisplay: Bool { get }

  /// Whether a `homelined` started for this command fetches the pictures of published pages before it exits.
  var waitsForPictures: Bool { get }

  /// Asks the user the question that the state owner ended the command with.
  /// - Returns: the command with the user's agreement, which is sent again; nil without a question, a terminal or an agreement.
  func agreed(to question: EndEvent.Question) -> Self?

  /// The line to print if Ctrl-C ends the command, because its work may continue; nil if there is nothing to say.
  var interruptionNote: StaticString? { get }
}

extension OwnerCommand {
  package static var program: LibexecProgram? { .daemon }
  package static var isPrepared: Bool { false }
  package static var needsDisplay: Bool { false }
  package var waitsForPictures: Bool { false }
  package var interruptionNote: StaticString? { nil }
  package func agreed(to question: EndEvent.Question) -> Self? { nil }
  package func completed() throws(CommandError) -> Self { self }
}
