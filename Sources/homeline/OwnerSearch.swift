internal import Control
internal import Files
internal import Platform

/// Who is to be asked to do a command.
enum OwnerSearch {
  /// For a service to come up that a connection has started.
  private static let patience = Duration.seconds(10)

  /// The owner of the state, if there is one. Where a service manager holds the control socket of a service that does not run
  /// (systemd.socket(5)), connecting to it starts that, and then it is the owner.
  static func owner(of layout: FileLayout) -> Owner? {
    if let owner = OwnerLock.currentOwner(layout) { return owner }
    guard ControlClient.isListening(at: layout.controlSocket) else { return nil }
    _ = try? ControlClient(path: layout.controlSocket).status(timeout: patience)
    // Whoever answered may look after another state than this one: then nobody owns this one still.
    return OwnerLock.currentOwner(layout)
  }
}

extension Owner {
  /// What to say where the service runs a file that an upgrade has replaced; `nil` otherwise.
  var upgradeNote: String? {
    guard isService, ProcessEnvironment.isFileReplaced(of: processID) else { return nil }
    return "the running service (process \(processID)) is older than the installed files. "
      + "Restart it: systemctl --user restart homeline"
  }
}
