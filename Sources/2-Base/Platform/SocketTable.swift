/// The TCP socket tables in `/proc/self/net` (proc(5)), used if sock_diag(7) is not available. Each lookup reads whole tables.
enum SocketTable {
  /// A line has 150 bytes, so this is enough for more than 100,000 sockets.
  private static let limit = 16 << 20
  /// The state TCP_LISTEN.
  private static let listening = "0A"

  /// Returns the socket at one end of a connection.
  /// - Returns: nil if there is no such socket.
  /// - Throws: if the tables cannot be read.
  static func owner(of own: TCPAddress, to peer: TCPAddress) throws(SystemError) -> SocketOwner? {
    switch own.family {
    case .v4:
      if let owner = try find(own.inTable, peer.inTable, in: "/proc/self/net/tcp") { return owner }
      // The socket may be an IPv6 socket connected over IPv4.
      return try? find(own.inTableAsMapped, peer.inTableAsMapped, in: "/proc/self/net/tcp6")
    case .v6: return try find(own.inTable, peer.inTable, in: "/proc/self/net/tcp6")
    }
  }

  private static func find(_ own: String, _ peer: String, in table: String) throws(SystemError) -> SocketOwner? {
    // While sockets are opened and closed, a line may be missing.
    for _ in 0..<3 {
      let lines = try File.read(table, limit: limit).split(separator: UInt8(ascii: "\n")).dropFirst()
      for line in lines {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
        guard fields.count > 9, fields[1].elementsEqual(own.utf8), fields[2].elementsEqual(peer.utf8),
          let user = UInt32(String(decoding: fields[7], as: UTF8.self)),
          let inode = UInt32(String(decoding: fields[9], as: UTF8.self))
        else { continue }
        return SocketOwner(userID: user, inode: inode, listens: fields[3].elementsEqual(listening.utf8))
      }
    }
    return nil
  }
}

extension TCPAddress {
  /// The form used in the tables: each 32 bits of the address as a hexadecimal number in the machine's byte order, and the port.
  fileprivate var inTable: String { Self.text(bytes, port) }

  fileprivate var inTableAsMapped: String { Self.text(Self.mappedPrefix + bytes, port) }

  private static func text(_ bytes: [UInt8], _ port: UInt16) -> String {
    let groups = stride(from: 0, to: bytes.count, by: 4).map { start in
      let inOrder = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return hexadecimal(inOrder.bigEndian, digits: 8)
    }
    return groups.joined() + ":" + hexadecimal(UInt32(port), digits: 4)
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

/// The user and the inode of a TCP socket on this machine.
struct SocketOwner: Equatable, Sendable {
  /// The user who created the socket, as seen in this process's user namespace (user_namespaces(7)).
  let userID: UInt32
  /// The inode; 0 if no process still has the socket open.
  let inode: UInt32
  /// Whether the socket is listening.
  let listens: Bool
}
