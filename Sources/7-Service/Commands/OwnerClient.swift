package import ControlProtocol
package import Folders
package import Platform

/// Sends commands to the state owner and shows the events in its responses.
package struct OwnerClient: Sendable {
  private let client: ControlClient
  private let configuration: ConfigurationFiles?
  private let environment: CommandEnvironment
  /// Whether the results are printed as JSON.
  private let isJSON: Bool

  /// The timeout for asking the state owner which configuration it uses.
  private static let statusTimeout = Duration.seconds(5)

  /// - Parameter configuration: The files given by `--config`; `nil` without it. A command is not sent to an owner that uses a different
  ///   configuration.
  package init(
    _ client: ControlClient, configuration: ConfigurationFiles? = nil, environment: CommandEnvironment, isJSON: Bool
  ) {
    self.client = client
    self.isJSON = isJSON
    self.configuration = configuration
    self.environment = environment
  }

  /// Sends a command and waits until it has finished. All output, including error messages, has been written when this function returns.
  /// - Throws: `OwnerUnavailableError` if the state owner did not start the command. Another process can then run the
  ///   command.
  /// - Returns: the exit code of the program.
  package func run(_ command: some OwnerCommand) throws(OwnerUnavailableError) -> ExitCode {
    let (code, question) = try send(command)
    if let question, let agreed = command.agreed(to: question) { return try run(agreed) }
    return code
  }

  /// Sends a command once.
  /// - Returns: the exit code, and the question that the command ended with; nil with `--json`, because its output is then complete.
  private func send(
    _ command: some OwnerCommand
  ) throws(OwnerUnavailableError) -> (ExitCode, EndEvent.Question?) {
    var result = isJSON ? CommandResult() : nil
    do throws(ControlClientError) {
      if let other = try otherConfiguration() {
        Terminal.say("homeline: \(other)")
        return (.temporary, nil)
      }
      var display = display(of: command)
      let end: EndEvent
      do throws(ControlClientError) {
        end = try client.events(of: command.request) { event in
          display.show(event)
          result?.add(event)
        }
      } catch {
        _ = display.finish()
        throw error
      }
      let shown = display.finish()
      if let message = end.message { Terminal.say("homeline: \(message)") }
      return (end.exit.worse(shown).worse(result?.print(end) ?? .done), isJSON ? nil : end.question)
    } catch {
      if let reason = OwnerUnavailableError(error) { throw reason }
      // A caller that closed the connection itself needs no error message.
      if error == .hungUp {
        if let note = command.interruptionNote { Terminal.say("\(note)") }
        return (error.exitCode, nil)
      }
      Terminal.say("homeline: \(error)")
      return (error.exitCode.worse(result?.print(EndEvent(exit: error.exitCode, message: "\(error)")) ?? .done), nil)
    }
  }

  /// Returns the display of a command; with `--json`, one that writes to standard error only.
  private func display(of command: some OwnerCommand) -> any EventDisplay {
    if isJSON, !type(of: command).needsDisplay { return EventPrinter { _ in } }
    return command.makeDisplay(DisplayContext(environment: environment, client: client, isJSON: isJSON))
  }

  /// Returns an error message if the state owner uses a configuration other than the given one; otherwise nil.
  private func otherConfiguration() throws(ControlClientError) -> String? {
    guard let configuration else { return nil }
    let owner = try client.status(timeout: Self.statusTimeout).owner
    guard configuration.identity != File.realPath(owner.configuration) else { return nil }
    return
      "homeline \(owner.command) (process \(owner.processID)) is using the accounts with the configuration "
      + "\(owner.configuration); omit --config, or try again when that process has exited"
  }
}
