internal import Platform
internal import Store

extension Owner {
  /// What to say where the service runs a file that an upgrade has replaced; `nil` otherwise.
  var upgradeNote: String? {
    guard isService, ProcessEnvironment.isFileReplaced(of: processID) else { return nil }
    return "the running service (process \(processID)) is older than the installed files. "
      + "Restart it: systemctl --user restart homeline"
  }
}
