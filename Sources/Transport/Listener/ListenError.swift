package import Platform

/// Why there is no listening.
package enum ListenError: Error, Equatable {
  /// Somebody else listens at that address and port.
  case portInUse(LoopbackAddress, port: UInt16)
  /// A socket that was handed over is not bound to loopback (or to a Unix path): it is not served.
  case notLoopback(descriptor: Int32)
  /// What was handed over is not a listening stream socket.
  case notListening(descriptor: Int32)
  case system(SystemError)
}

extension ListenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .portInUse(let address, let port):
      "another program listens at \(address.text):\(port); end it or choose another port"
    case .notLoopback(let descriptor):
      "the socket handed over as descriptor \(descriptor) is not bound to loopback; correct the socket unit"
    case .notListening(let descriptor):
      "descriptor \(descriptor) is not a listening stream socket; correct the socket unit"
    case .system(let error): error.description
    }
  }
}
