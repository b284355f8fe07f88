internal import CLinux
internal import Glibc

/// The user who connected to a Unix socket, as the kernel recorded it at that moment (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  let processID: Int32
  /// The effective user.
  package let userID: UInt32

  /// Reads the credentials of a connected socket; nil if it has none, as with TCP.
  package init?(of number: Int32) {
    // `struct ucred` is three 32-bit numbers; Swift's Glibc module does not show it.
    var fields: [UInt32] = [0, 0, 0]
    var length = socklen_t(fields.count * MemoryLayout<UInt32>.size)
    let answer = unsafe fields.withUnsafeMutableBytes {
      unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
    }
    // For sockets of other families, the kernel returns process 0 and user -1.
    guard answer == 0, fields[1] != UInt32.max else { return nil }
    processID = Int32(bitPattern: fields[0])
    userID = fields[1]
  }

  package var description: String { "process \(processID) of the user \(userID)" }
}
