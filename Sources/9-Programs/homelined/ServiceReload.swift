internal import Commands
internal import ControlProtocol
internal import Folders
internal import Glibc
internal import Platform

/// `homeline daemon --reload`: makes the running service reload its configuration, and waits until it is done.
///
/// The unit's `ExecReload=` runs this command. Sending a signal would not be enough: systemd considers a reload complete if the
/// command exits before `RELOADING=1` arrives (systemd.service(5)).
struct ServiceReload {
  let environment: CommandEnvironment

  /// Runs the command.
  /// - Returns: 0 after the service has adopted the configuration and published new views; 78 if it refuses the configuration.
  /// - Throws: 69 if no service is running; 75 if the service does not respond.
  func run() throws(CommandError) -> ExitCode {
    let layout = FileLayout(try environment.folders())
    guard let owner = OwnerLock.currentOwner(layout), owner.isService else {
      // While the service waits for another process to release the state, it has no control socket, but rereads the configuration
      // immediately.
      if let service = environment.variables["MAINPID"].flatMap({ Int32($0) }), kill(service, SIGHUP) == 0 {
        return .done
      }
      let program: String
      do throws(SystemError) { program = try ProcessEnvironment.programPath() } catch {
        throw CommandError(.software, "\(error)")
      }
      let start = ServiceStart.find(environment.variables, program: program)
      throw CommandError(.unavailable, "no service is running. \(start.advice)")
    }
    guard let path = owner.controlSocket else {
      throw CommandError(.temporary, "\(owner) has no control socket yet; try again")
    }
    do throws(ControlClientError) {
      let client = ControlClient(path: path) { Terminal.say("homeline: \(owner.silence). Waiting for it …") }
      let end = try client.events(of: ReloadRequest()) { _ in }
      if let message = end.message { Terminal.say("homeline: \(message)") }
      return end.exit
    } catch {
      throw CommandError(.temporary, "\(owner) could not reload the configuration: \(error)")
    }
  }
}
