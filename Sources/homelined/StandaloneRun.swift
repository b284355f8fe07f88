internal import Commands
internal import Control
internal import Dispatch
internal import Platform
internal import Service

/// A command whose owner of the state is this process: it sends its request to its own control socket, and the process ends when this
/// command and those of other processes have ended.
// Sendable because everything that changes in it is touched on the main queue only.
final class StandaloneRun: @unchecked Sendable {
  private let context: DaemonContext
  private let client: ControlClient
  private let owner: OwnerClient
  private let command: any OwnerCommand
  private var signals: [DispatchSource] = []
  /// What the command ended with.
  private var code: ExitCode?
  private var notice: Alarm?
  /// The signal that asked for the end.
  private var signal: Int32?

  init(_ context: DaemonContext, _ command: any OwnerCommand, _ environment: CommandEnvironment) {
    self.context = context
    self.command = command
    client = ControlClient(path: context.controlSocket)
    owner = OwnerClient(client, environment: environment)
  }

  /// - Returns: itself, which has to live as long as the process.
  func start() throws(CommandFailure) -> StandaloneRun {
    signals = TerminationSignals.taken { number in self.take(number) }
    do throws(SystemError) {
      try DetachedThread.start {
        let code = self.runCommand()
        DispatchQueue.main.async { self.ended(with: code) }
      }
    } catch { throw CommandFailure(.software, "\(error)") }
    return self
  }

  private func runCommand() -> ExitCode {
    do throws(OwnerUnavailable) { return try owner.run(command) } catch {
      Terminal.say("homeline: \(error)")
      return .software
    }
  }

  private func ended(with code: ExitCode) {
    self.code = code
    guard type(of: command).waitsForPictures, code == .done else { return finishPurges() }
    // Nobody else would fetch them before the next refresh.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: fetching the pictures of the page (Ctrl-C leaves them to the next refresh)")
    }
    notice?.set(.now + .milliseconds(500))
    context.accountManager.whenPicturesCame(within: .seconds(60), on: .main) { self.finishPurges() }
  }

  private func finishPurges() {
    notice = nil
    context.accountManager.afterInterruptedPurges { DispatchQueue.main.async { self.waitForOthers() } }
  }

  /// Ctrl-C and its like give up what this process was started for. What others asked for goes on, unless it is said again.
  private func take(_ number: Int32) {
    if signal != nil || code != nil { return context.close { TerminationSignals.end(by: number) } }
    signal = number
    client.hangUp()
  }

  private func waitForOthers() {
    // A request between the last job's end and ours is refused before it begins, and asks the next owner.
    context.controlServer.stopWhenIdle { DispatchQueue.main.async { self.end() } }
    // The last answer is on its way out; only what takes longer than that is worth a word.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: other commands still work through this one; it ends with them (Ctrl-C ends them too)")
    }
    notice?.set(.now + .milliseconds(500))
  }

  private func end() {
    notice = nil
    context.close { [signal, code] in
      if let signal { TerminationSignals.end(by: signal) }
      (code ?? .software).endProcess()
    }
  }
}
