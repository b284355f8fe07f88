import Glibc

/// A datagram socket that stores the messages of services, as a service manager does.
final class NotifyReceiver: Sendable {
  /// The value of `NOTIFY_SOCKET`.
  let name: String
  private let descriptor: Int32

  init(at name: String) {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
    let bound = withUnsafePointer(to: &address) {
      bind(descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
    guard bound == 0 else { fatalError("bind \(name): \(errno)") }
  }

  deinit { close(descriptor) }

  /// Returns the next datagram; `nil` if none has arrived. A message to a socket on the same machine is delivered when it is sent, so the
  /// test does not need to wait.
  func next() -> String? {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}
