import Glibc
import TestSupport

/// A listening TCP socket of somebody else.
final class BoundSocket {
  let port: UInt16
  private var number: Int32

  init(_ family: Int32, loopback: Bool) throws {
    number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // sockaddr_in and sockaddr_in6 both have the port in their third and fourth byte.
    var address = [UInt8](repeating: 0, count: family == AF_INET ? 16 : 28)
    address[0] = UInt8(family)
    if loopback, family == AF_INET { address.replaceSubrange(4..<8, with: [127, 0, 0, 1]) }
    if loopback, family == AF_INET6 { address[23] = 1 }
    var length = socklen_t(address.count)
    var six: Int32 = 1
    if family == AF_INET6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &six, 4) }
    let number = number
    let done = address.withUnsafeMutableBytes { bytes in
      let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(number, pointer, length) == 0 && listen(number, 5) == 0 && getsockname(number, pointer, &length) == 0
    }
    guard done else { throw TestClient.Failure(description: "bind: errno \(errno)") }
    port = UInt16(address[2]) << 8 | UInt16(address[3])
  }

  func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  deinit { if number >= 0 { close(number) } }
}
