package import ControlProtocol
package import Folders
internal import Platform

/// Finds the state owner.
package enum OwnerSearch {
  /// The timeout for starting a service by socket activation.
  private static let patience = Duration.seconds(10)

  /// Returns the state owner, if there is one. If the service manager listens on the control socket for a service that is not
  /// running (systemd.socket(5)), connecting starts the service, which becomes the state owner.
  package static func owner(of layout: FileLayout) -> Owner? {
    if let owner = OwnerLock.currentOwner(layout) { return owner }
    guard ControlClient.isListening(at: layout.controlSocket) else { return nil }
    _ = try? ControlClient(path: layout.controlSocket).status(timeout: patience)
    // The process that replied may own a different state. This state then still has no owner.
    return OwnerLock.currentOwner(layout)
  }
}

extension Owner {
  /// Returns a client that says after 2 s that this process does not answer, and then goes on waiting.
  package func client(at path: String) -> ControlClient {
    ControlClient(path: path) { Terminal.say("homeline: \(silence). Waiting for it …") }
  }

  /// A note if an upgrade has replaced the program file of the running service; otherwise nil.
  package var upgradeNote: String? {
    guard isService, ProcessEnvironment.isFileReplaced(of: processID) else { return nil }
    return "the running service (process \(processID)) is older than the installed files. "
      + "Restart it: systemctl --user restart homeline"
  }
}
