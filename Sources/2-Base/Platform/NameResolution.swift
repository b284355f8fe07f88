internal import Glibc

/// Name resolution by the C library, as in other programs (`getaddrinfo(3)`).
package enum NameResolution {
  /// Resolves a host name, which can block for many seconds.
  /// - Returns: the number of addresses, at least 1.
  package static func countOfAddresses(of host: String) throws(NameResolutionError) -> Int {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      throw NameResolutionError(reason: unsafe String(cString: gai_strerror(code)), isTemporary: code == EAI_AGAIN)
    }
    defer { unsafe freeaddrinfo(list) }
    var count = 0
    var entry = unsafe list
    while let current = unsafe entry {
      count += 1
      unsafe entry = current.pointee.ai_next
    }
    return count
  }
}
