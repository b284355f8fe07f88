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
