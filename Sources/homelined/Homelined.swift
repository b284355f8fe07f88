internal import CivilTime
internal import Commands
internal import Console
internal import Dispatch
internal import Platform
internal import Service
internal import Settings
internal import Store

/// The program that can own the state: has the command done, by the owner that there is or as the owner, and ends with its
/// exit code.
struct Homelined {
  let surroundings: Surroundings

  func run(_ arguments: [String]) -> Never {
    CoreFiles.forbid()
    // Standard output is a pipe for scripts: a reader that has gone must not end a half-done login.
    Terminal.surviveFailedWrites()
    IdleMemory.shareHeap()
    do throws(CommandFailure) {
      let invocation: Invocation
      do throws(UsageError) { invocation = try CommandParser.parse(arguments, now: WallClock.system.now) } catch {
        throw error.failure
      }
      let work = try begin(invocation)
      // With it would go the lock on the state, and a demonstration that waits for its next refresh.
      withExtendedLifetime(work) { dispatchMain() }
    } catch {
      Terminal.say(error.description)
      error.code.endProcess()
    }
  }

  /// Starts the command; it ends the process when it is done.
  /// - Returns: what has to live as long as the process.
  private func begin(_ invocation: Invocation) throws(CommandFailure) -> any Sendable {
    let log = House.commandLog(isVerbose: invocation.isVerbose)
    if let command = OwnerCommand(invocation.command) {
      return try CommandRun(
        command: command, name: invocation.command.name,
        configuration: try surroundings.configurationFile(invocation),
        namesConfiguration: invocation.configurationFile != nil, surroundings: surroundings, log: log
      ).start()
    }
    switch invocation.command {
    case .daemon(once: true):
      return try DueRefresh(
        configuration: try surroundings.configurationFile(invocation), surroundings: surroundings, log: log
      ).start()
    case .daemon(once: false): return DaemonCommand(invocation: invocation, surroundings: surroundings).start()
    case .demo(let arguments):
      return try DemoCommand(arguments: arguments, surroundings: surroundings, log: log).start()
    case .login, .logout, .refresh, .token, .status, .show, .search, .open, .read, .export, .importing, .purge, .sign,
      .check, .sandbox, .version, .help:
      throw CommandFailure(
        .usage, "homelined is started by homeline and by systemd; run: homeline \(invocation.command.name.rawValue)")
    }
  }
}
