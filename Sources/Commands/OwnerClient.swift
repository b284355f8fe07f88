package import ConfigurationStore
package import Control
internal import HTTP
package import Platform

/// Sends commands to the owner of the state, and shows the events in its responses.
package struct OwnerClient: Sendable {
  private let client: ControlClient
  private let configuration: ConfigurationFiles?
  private let environment: CommandEnvironment
  /// Whether the results are printed as JSON.
  private let isJSON: Bool

  /// The timeout for asking the owner of the state which configuration it uses.
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
  /// - Throws: `OwnerUnavailableError` if the process that owns the state did not start the command. Another process can then run the
  ///   command.
  /// - Returns: the exit code of the program.
  package func run(_ command: some OwnerCommand) throws(OwnerUnavailableError) -> ExitCode {
    var result = isJSON ? CommandResult() : nil
    do throws(ControlClientError) {
      if let other = try otherConfiguration() {
        Terminal.say("homeline: \(other)")
        return .temporary
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
      return end.exit.worse(shown).worse(result?.print(end) ?? .done)
    } catch {
      if let reason = OwnerUnavailableError(error) { throw reason }
      // A caller that closed the connection itself needs no error message.
      if error == .hungUp {
        if let note = command.interruptionNote { Terminal.say("\(note)") }
        return error.exitCode
      }
      Terminal.say("homeline: \(error)")
      return error.exitCode.worse(result?.print(EndEvent(exit: error.exitCode, message: "\(error)")) ?? .done)
    }
  }

  /// Returns the display of a command; with `--json`, one that writes to standard error only.
  private func display(of command: some OwnerCommand) -> any EventDisplay {
    if isJSON, !type(of: command).needsDisplay { return EventPrinter { _ in } }
    return command.makeDisplay(DisplayContext(environment: environment, client: client, isJSON: isJSON))
  }

  /// Returns an error message if the process that owns the state uses a configuration other than the given one; otherwise nil.
  private func otherConfiguration() throws(ControlClientError) -> String? {
    guard let configuration else { return nil }
    let owner = try client.status(timeout: Self.statusTimeout).owner
    guard configuration.identity != File.realPath(owner.configuration) else { return nil }
    return
      "homeline \(owner.command) (process \(owner.processID)) is using the accounts with the configuration "
      + "\(owner.configuration); omit --config, or try again when that process has exited"
  }
}

/// The process that owns the state did not start a command, because this process has exited, is exiting, or is not listening yet.
package struct OwnerUnavailableError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Converts an error; nil if the process that owns the state may have started the command.
  init?(_ error: ControlClientError) {
    switch error {
    case .unreachable, .unanswered: break
    case .refused(let refusal) where refusal.status == .serviceUnavailable: break
    case .refused, .brokenOff, .timedOut, .malformed, .hungUp: return nil
    }
    description = "\(error)"
  }
}
