internal import Accounts
internal import HTTPServer
internal import Platform
internal import Settings

extension CallbackSettings {
  /// Returns the settings with a segment appended to the path; unchanged settings if the segment is `nil`.
  func below(_ segment: String?) -> CallbackSettings {
    guard let segment else { return self }
    var settings = self
    settings.path += (path.hasSuffix("/") ? "" : "/") + segment
    return settings
  }
}

extension OperationError {
  /// Creates the error for a callback port that cannot be opened, with a message that names the program using the port.
  init(callback error: ListenError) {
    guard case .portInUse(let address, let port) = error else {
      self.init(.cannotCreate, "could not open the callback listener: \(error)")
      return
    }
    let known = PortHolder.of(port: port)
    if let known, known.command == "systemd" {
      self.init(
        .cannotCreate,
        "the callback port \(address.text):\(port) is held by \(known) for the service, which is not running. "
          + "Start it: systemctl --user start homeline")
      return
    }
    let holder = known.map { "\($0)" } ?? "another program"
    self.init(
      .cannotCreate,
      "the callback port \(address.text):\(port) is taken by \(holder). Stop it, or choose another port with "
        + "callback.port in the configuration (and register the new callback address with the provider)")
  }
}
