internal import Commands
internal import Dispatch
internal import Glibc
internal import Platform
internal import Service
internal import Settings
internal import Store

/// The program that owns the state while it runs: takes the lock, has the command done, and ends with its exit code.
struct Homelined {
  let surroundings: Surroundings

  func run(_ arguments: [String]) -> Never {
    // Standard output is a pipe for scripts: a reader that has gone must not end a half-done login.
    Terminal.ignoreBrokenPipes()
    do throws(CommandFailure) {
      let invocation: Invocation
      do throws(UsageError) { invocation = try CommandParser.parse(arguments) } catch { throw error.failure }
      let work = try begin(invocation)
      // With it would go the lock on the state, and a demonstration that waits for its next refresh.
      withExtendedLifetime(work) { dispatchMain() }
    } catch {
      Terminal.say(error.description)
      exit(error.code.rawValue)
    }
  }

  /// Starts the command; it ends the process when it is done.
  /// - Returns: what has to live as long as the process.
  private func begin(_ invocation: Invocation) throws(CommandFailure) -> any Sendable {
    switch invocation.command {
    case .login(let arguments):
      return try LoginCommand(arguments: arguments, house: try house(invocation)).start()
    case .logout(let name): return try LogoutCommand(account: name, house: try house(invocation)).start()
    case .refresh(let names): return try RefreshCommand(accounts: names, house: try house(invocation)).start()
    case .daemon(once: true): return DaemonCommand(house: try house(invocation)).start()
    case .daemon(once: false):
      throw CommandFailure(
        .usage, "the long-running service comes with a later version; for now let a timer run: homeline daemon --once")
    case .demo(let once, let port):
      return try DemoCommand(
        once: once, port: port, surroundings: surroundings, isVerbose: invocation.isVerbose
      ).start()
    case .status, .show, .sign, .check, .version, .help:
      throw CommandFailure(
        .usage, "homelined is started by homeline and by systemd; run: homeline \(invocation.command.name.rawValue)")
    }
  }

  /// Reads the configuration and takes the state over.
  private func house(_ invocation: Invocation) throws(CommandFailure) -> House {
    let configuration = try surroundings.configurationFile(invocation).load()
    return try House(
      configuration, layout: FileLayout(try surroundings.folders()), command: invocation.command.name,
      surroundings: surroundings, isVerbose: invocation.isVerbose)
  }
}
