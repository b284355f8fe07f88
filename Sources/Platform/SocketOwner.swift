/// Whose a TCP socket of this machine is.
struct SocketOwner: Equatable, Sendable {
  /// Who made it, as this process's user namespace knows him (user_namespaces(7)).
  let userID: UInt32
  /// 0 when no process has it open any more.
  let inode: UInt32
  /// Whether it waits for connections.
  let listens: Bool
}
