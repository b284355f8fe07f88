internal import Glibc
internal import Platform

/// The one owner of sockets that listen and do not block, until a server takes them over.
package struct ListeningSockets: ~Copyable {
  private var numbers: [Int32]
  /// The file of a Unix socket that was bound here; one that a service manager bound is its own.
  private var file: SocketFile?
  /// Whether somebody else goes on with the same sockets by descriptors of their own.
  private let isShared: Bool
  /// The TCP port that all of them share; nil for Unix sockets.
  package let port: UInt16?
  /// What could not be listened on, and is done without.
  package let warning: ListenError?

  /// Takes over descriptors that listen already and that nobody else will close; they are checked by whoever calls.
  init(
    owning numbers: [Int32], port: UInt16?, file: SocketFile? = nil, isShared: Bool = false,
    warning: ListenError? = nil
  ) {
    self.isShared = isShared
    self.numbers = numbers
    self.port = port
    self.file = file
    self.warning = warning
  }

  deinit {
    file?.remove()
    for number in numbers { StreamSocket.stopListening(at: number, isShared: isShared) }
  }

  /// Gives the descriptors away: from now on the caller closes them, and removes the file before.
  consuming func release() -> (numbers: [Int32], file: SocketFile?, isShared: Bool) {
    let released = (numbers, file, isShared)
    numbers = []
    file = nil
    return released
  }
}

extension ListeningSockets {
  /// How the address is written that browsers are sent to, which decides who else may be at the port.
  package enum Host: Sendable {
    /// `127.0.0.1`: a stranger at [::1] gets none of our callbacks, and is only warned of.
    case literal
    /// `localhost`: a browser may try ::1 first, so a stranger there would get our callbacks.
    case localhost
  }

  /// Listens at 127.0.0.1 and ::1 on the same port; a machine without IPv6 has the former alone.
  /// - Parameter port: 0 takes one that is free at both.
  /// - Throws: `ListenError.portInUse` with the address that is taken.
  package static func loopback(port: UInt16, host: Host) throws(ListenError) -> ListeningSockets {
    guard port == 0 else { return try atPort(port, host) }
    // The kernel's pick is free at 127.0.0.1 only. Several misses in a row mean that somebody holds most of ::1.
    for _ in 0..<16 {
      let sockets = try atPort(0, host, takenFails: false)
      if sockets.warning == nil { return sockets }
    }
    return try atPort(0, host)
  }

  private static func atPort(
    _ wanted: UInt16, _ host: Host, takenFails: Bool = true
  ) throws(ListenError) -> ListeningSockets {
    guard let first = try listening(.v4, wanted) else {
      throw .system(SystemError(call: "socket", code: EAFNOSUPPORT, subject: LoopbackAddress.v4.text))
    }
    let port: UInt16
    do throws(SystemError) { port = try SocketInformation.port(of: first.number) } catch { throw .system(error) }
    do throws(ListenError) {
      guard let second = try listening(.v6, port) else {
        return ListeningSockets(owning: [first.release()], port: port)
      }
      return ListeningSockets(owning: [first.release(), second.release()], port: port)
    } catch {
      guard case .portInUse = error, host == .literal || !takenFails else { throw error }
      return ListeningSockets(owning: [first.release()], port: port, warning: error)
    }
  }

  /// A socket that listens at one address; nil if the machine does not have that address.
  private static func listening(_ address: LoopbackAddress, _ port: UInt16) throws(ListenError) -> Descriptor? {
    do throws(SystemError) {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try check("socket", address.text) { Glibc.socket(address.family, type, 0) })
      let number = socket.number
      if address == .v6 { try set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, on: number) }
      // Accepted sockets inherit it: the tail of a long answer does not wait for an acknowledgement.
      try set(Int32(IPPROTO_TCP), TCP_NODELAY, on: number)
      if port != 0 { try set(SOL_SOCKET, SO_REUSEADDR, on: number) }
      try unsafe address.withSocketAddress(port: port) { (pointer, length) throws(SystemError) in
        _ = try check("bind", "\(address.text):\(port)") { unsafe bind(number, pointer, length) }
      }
      // Without it a restart would wait a minute for connections of the run before in TIME_WAIT, and only sockets
      // that had it are excused. A fixed port needs it now; a free port gets it behind bind(2), so that the kernel does
      // not pick one that somebody else has bound and not listened at yet.
      if port == 0 { try set(SOL_SOCKET, SO_REUSEADDR, on: number) }
      try check("listen", "\(address.text):\(port)") { listen(number, SOMAXCONN) }
      return socket
    } catch {
      if error.isAddressInUse { throw .portInUse(address, port: port) }
      if address == .v6, error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL { return nil }
      throw .system(error)
    }
  }

  private static func set(_ level: Int32, _ option: Int32, on number: Int32) throws(SystemError) {
    var yes: Int32 = 1
    try check("setsockopt") { unsafe setsockopt(number, level, option, &yes, socklen_t(MemoryLayout<Int32>.size)) }
  }
}

/// The file of a Unix socket that this process has bound, known by its inode.
struct SocketFile: Sendable {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// - Throws: `SystemError` when there is nothing at the path.
  init(at path: String) throws(SystemError) {
    let facts = try Self.facts(of: path)
    self.path = path
    (device, inode) = (facts.st_dev, facts.st_ino)
  }

  /// Removes the file, unless something else has taken its place meanwhile.
  func remove() {
    guard let facts = try? Self.facts(of: path), facts.st_dev == device, facts.st_ino == inode else { return }
    try? File.remove(path)
  }

  /// Removes the socket that a process before left at the path, if there is one.
  /// - Throws: `.notASocket` for anything else, which stays.
  static func clear(_ path: String) throws(ListenError) {
    do throws(SystemError) {
      let facts: stat
      do throws(SystemError) { facts = try Self.facts(of: path) } catch {
        if error.isNoEntry { return }
        throw error
      }
      if facts.st_mode & S_IFMT == S_IFSOCK { return try File.remove(path) }
    } catch { throw .system(error) }
    throw .notASocket(path)
  }

  private static func facts(of path: String) throws(SystemError) -> stat {
    var facts = stat()
    try check("lstat", path) { unsafe lstat(path, &facts) }
    return facts
  }
}
