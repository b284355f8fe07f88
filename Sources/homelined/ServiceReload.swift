internal import Commands
internal import Control
internal import Files
internal import Glibc
internal import Platform

/// `homeline daemon --reload`: makes the running service read its configuration again, and waits until it has done so.
///
/// The unit's `ExecReload=` runs this command. A signal alone would not be enough: systemd treats a reload as complete if the command has
/// exited before it has received `RELOADING=1` (systemd.service(5)).
struct ServiceReload {
  let environment: CommandEnvironment

  /// - Returns: 0 after the service has adopted the configuration and published new views; 78 if it rejects the configuration.
  /// - Throws: 69 if no service is running; 75 if the service does not respond.
  func run() throws(CommandError) -> ExitCode {
    let layout = FileLayout(try environment.folders())
    guard let owner = OwnerLock.currentOwner(layout), owner.isService else {
      // A service that waits for another process to release the state has no control socket. It only reads the configuration, at once.
      if let service = environment.variables["MAINPID"].flatMap({ Int32($0) }), kill(service, SIGHUP) == 0 {
        return .done
      }
      throw CommandError(.unavailable, "no service is running; to start it: systemctl --user start homeline")
    }
    guard let path = owner.controlSocket else {
      throw CommandError(.temporary, "\(owner) has no control socket yet; try again")
    }
    do throws(ControlClientError) {
      let end = try ControlClient(path: path).events(of: ReloadRequest()) { _ in }
      if let message = end.message { Terminal.say("homeline: \(message)") }
      return end.exit
    } catch {
      throw CommandError(.temporary, "\(owner) has not read the configuration again: \(error)")
    }
  }
}
