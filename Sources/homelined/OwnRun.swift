internal import Commands
internal import Console
internal import Control
internal import Dispatch
internal import Platform
internal import Service

/// A command whose owner of the state is this very process: it asks over its own control socket, and the process ends when that
/// command and all that came from others have ended.
// Sendable because everything that changes in it is touched on the main queue only.
final class OwnRun: @unchecked Sendable {
  private let house: House
  private let client: ControlClient
  private let console: Console
  private let command: OwnerCommand
  private var signals: [DispatchSource] = []
  /// What the command ended with.
  private var code: ExitCode?
  private var notice: Alarm?
  /// The signal that asked for the end.
  private var signal: Int32?

  init(_ house: House, _ command: OwnerCommand, _ surroundings: Surroundings) {
    self.house = house
    self.command = command
    client = ControlClient(path: house.controlSocket)
    console = Console(client, surroundings: surroundings)
  }

  /// - Returns: itself, which has to live as long as the process.
  func start() throws(CommandFailure) -> OwnRun {
    signals = Ending.taken { number in self.take(number) }
    do throws(SystemError) {
      try DetachedThread.start {
        let code = self.runCommand()
        DispatchQueue.main.async { self.ended(with: code) }
      }
    } catch { throw CommandFailure(.software, "\(error)") }
    return self
  }

  private func runCommand() -> ExitCode {
    do throws(NobodyTookIt) { return try console.run(command) } catch {
      Terminal.say("homeline: \(error)")
      return .software
    }
  }

  private func ended(with code: ExitCode) {
    self.code = code
    guard case .login = command, code == .done else { return finishPurges() }
    // Nobody else would fetch them before the next refresh.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: fetching the pictures of the page (Ctrl-C leaves them to the next refresh)")
    }
    notice?.set(.now + .milliseconds(500))
    house.keeper.whenPicturesCame(within: .seconds(60), on: .main) { self.finishPurges() }
  }

  private func finishPurges() {
    notice = nil
    house.keeper.afterInterruptedPurges { DispatchQueue.main.async { self.waitForOthers() } }
  }

  /// Ctrl-C and its like give up what this process was started for. What others asked for goes on, unless it is said again.
  private func take(_ number: Int32) {
    if signal != nil || code != nil { return house.close { Ending.end(by: number) } }
    signal = number
    client.hangUp()
  }

  private func waitForOthers() {
    // What comes between the last job's end and ours is sent away by the desk, unharmed, and asks the next owner.
    house.desk.stopWhenIdle { DispatchQueue.main.async { self.end() } }
    // The last answer is on its way out; only what takes longer than that is worth a word.
    notice = try? Alarm(on: .main) {
      Terminal.say("homeline: other commands still work through this one; it ends with them (Ctrl-C ends them too)")
    }
    notice?.set(.now + .milliseconds(500))
  }

  private func end() {
    notice = nil
    house.close { [signal, code] in
      if let signal { Ending.end(by: signal) }
      (code ?? .software).endProcess()
    }
  }
}
