internal import Commands
internal import Console
internal import Control
internal import Dispatch
internal import Glibc
internal import Platform

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
  /// The signal that asked for the end.
  private var signal: Int32?

  init(_ house: House, _ command: OwnerCommand, _ surroundings: Surroundings) {
    self.house = house
    self.command = command
    client = ControlClient(path: house.controlSocket)
    console = Console(client, surroundings: surroundings)
  }

  /// - Returns: itself, which has to live as long as the process.
  func start() -> OwnRun {
    signals = Ending.signals { number in self.take(number) }
    Thread.start {
      let code: ExitCode
      do throws(NobodyTookIt) { code = try self.console.run(self.command) } catch {
        Terminal.say("homeline: \(error)")
        code = .software
      }
      DispatchQueue.main.async { self.ended(with: code) }
    }
    return self
  }

  private func ended(with code: ExitCode) {
    self.code = code
    waitForOthers()
  }

  /// Ctrl-C and its like give up what this process was started for. What others asked for goes on, unless it is said again.
  private func take(_ number: Int32) {
    if signal != nil || code != nil { return house.close { Ending.end(by: number) } }
    signal = number
    client.hangUp()
  }

  private func waitForOthers() {
    let saying = Locked(true)
    house.desk.whenIdle {
      saying.withLock { $0 = false }
      DispatchQueue.main.async { self.end() }
    }
    // Asked behind what was posted above: where nothing else is under way, nobody reads of it.
    house.desk.whenBusy {
      Terminal.say("homeline: other commands still work through this one; it ends with them (Ctrl-C ends them too)")
    }
  }

  private func end() {
    house.close { [signal, code] in
      if let signal { Ending.end(by: signal) }
      exit((code ?? .software).rawValue)
    }
  }
}
