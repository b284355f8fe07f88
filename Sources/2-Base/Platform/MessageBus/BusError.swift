/// The reason a call on the session bus failed.
package enum BusError: Error {
  case noLibrary(String)
  case noBus(String)
  case timedOut
  /// The peer, or the bus, responded with an error.
  case remote(name: String, message: String)
  /// sd-bus failed, with a value of `errno`. An unexpected response is EBADMSG or ENXIO.
  case failed(Int32)

  /// Whether no program on the bus owns the name that was called.
  package var isWithoutPeer: Bool {
    guard case .remote(let name, _) = self else { return false }
    return name == "org.freedesktop.DBus.Error.ServiceUnknown" || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
      || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }
}
