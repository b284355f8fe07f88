internal import Glibc

/// The address where a service manager receives messages: a datagram socket in the file system or, with a leading `@`, in Linux's abstract
/// namespace (unix(7)).
struct NotifySocket: Sendable {
  private let name: String

  /// Creates the address; `nil` if the name begins with neither `/` nor `@`, or is too long for an address.
  init?(_ name: String) {
    guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1 else { return nil }
    guard name.utf8.count < Self.capacity else { return nil }
    self.name = name
  }

  /// Sends one datagram without waiting.
  /// - Returns: whether it was delivered. A receiver that has exited, or whose queue is full, is not treated as an error.
  func send(_ text: String) -> Bool {
    guard
      let number = try? check("socket", nil, { socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) })
    else { return false }
    let descriptor = Descriptor(owning: number)
    let bytes = Array(text.utf8)
    let borrowed = descriptor.number
    let sent = try? check("sendto", name) {
      unsafe withAddress { address, length in
        unsafe bytes.withUnsafeBytes {
          unsafe sendto(borrowed, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, length)
        }
      }
    }
    return sent == bytes.count
  }

  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    // An abstract name begins with a zero byte and ends with the address; a path is followed by a zero byte.
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
    let length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
    return unsafe withUnsafePointer(to: &address) {
      unsafe body(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
