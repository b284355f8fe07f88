internal import Glibc

/// Who connected to a Unix socket, as the kernel saw it at that moment (`SO_PEERCRED`, unix(7)).
package struct PeerCredentials: Equatable, Sendable, CustomStringConvertible {
  package let processID: Int32
  /// The effective user.
  package let userID: UInt32
  package let groupID: UInt32

  package init(processID: Int32, userID: UInt32, groupID: UInt32) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
  }

  /// Reads them from a connected socket; nil where there are none, as on TCP.
  package init?(of number: Int32) {
    // `struct ucred` is three 32-bit numbers; Swift's Glibc module does not show it.
    var words: [UInt32] = [0, 0, 0]
    var length = socklen_t(words.count * MemoryLayout<UInt32>.size)
    let answer = unsafe words.withUnsafeMutableBytes {
      unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
    }
    // For sockets of other families the kernel answers with process 0 and the user -1.
    guard answer == 0, words[1] != UInt32.max else { return nil }
    self.init(processID: Int32(bitPattern: words[0]), userID: words[1], groupID: words[2])
  }

  package var description: String { "process \(processID) of the user \(userID)" }
}
