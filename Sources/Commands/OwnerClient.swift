package import Control
internal import HTTP
package import Platform

/// Sends commands to the owner of the state, and shows the events that come back.
package struct OwnerClient: Sendable {
  private let client: ControlClient
  private let configuration: String?
  private let environment: CommandEnvironment

  /// How long the owner can take to say which configuration it uses.
  private static let patience = Duration.seconds(5)

  /// - Parameter configuration: the file that the user named for this command; an owner that uses another one does not get it.
  package init(_ client: ControlClient, configuration: String? = nil, environment: CommandEnvironment) {
    self.client = client
    self.configuration = configuration
    self.environment = environment
  }

  /// Has a command done and waits for its end. All output is written by then, messages of failures too.
  /// - Throws: when the owner did not begin it, so that it can be tried elsewhere.
  /// - Returns: the exit code of the program.
  package func run(_ command: some OwnerCommand) throws(OwnerUnavailable) -> ExitCode {
    do throws(ControlClientError) {
      if let other = try otherConfiguration() {
        Terminal.say("homeline: \(other)")
        return .temporary
      }
      var display = command.makeDisplay(DisplayContext(environment: environment, client: client))
      let end: EndEvent
      do throws(ControlClientError) { end = try client.events(of: command.request) { display.show($0) } } catch {
        _ = display.finish()
        throw error
      }
      let shown = display.finish()
      if let message = end.message { Terminal.say("homeline: \(message)") }
      return end.exit.worse(shown)
    } catch {
      if let reason = OwnerUnavailable(error) { throw reason }
      // A caller that hung up knows why.
      if error != .hungUp { Terminal.say("homeline: \(error)") }
      return error.exitCode
    }
  }

  /// Why the owner cannot do the command, when it uses another configuration than the one named.
  private func otherConfiguration() throws(ControlClientError) -> String? {
    guard let configuration else { return nil }
    let owner = try client.status(timeout: Self.patience).owner
    guard File.realPath(configuration) != File.realPath(owner.configuration) else { return nil }
    return
      "homeline \(owner.command) (process \(owner.processID)) works with the accounts just now, by the configuration "
      + "\(owner.configuration); leave --config out, or try again when it has ended"
  }
}

extension ControlClientError {
  /// The exit code of a command that met it.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .refused(let refusal): refusal.exit
    case .unreachable, .unanswered, .brokenOff, .timedOut, .hungUp: .temporary
    case .malformed: .software
    }
  }
}

/// The owner that was asked did not begin a command: it has ended, is about to, or does not listen yet.
package struct OwnerUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// - Returns: nil for an error of an owner that began the command.
  init?(_ error: ControlClientError) {
    switch error {
    case .unreachable, .unanswered: break
    case .refused(let refusal) where refusal.status == .serviceUnavailable: break
    case .refused, .brokenOff, .timedOut, .malformed, .hungUp: return nil
    }
    description = "\(error)"
  }
}
