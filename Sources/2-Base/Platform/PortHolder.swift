/// The process that is listening on a TCP port of this machine, as far as `/proc` shows it (proc(5)).
package struct PortHolder: Sendable, Hashable, CustomStringConvertible {
  package let processID: Int32
  package let command: String

  package var description: String { "\(command) (process \(processID))" }

  /// Returns the process that is listening on the port; `nil` for a free port and for another user's process, which only root can see.
  package static func of(port: UInt16) -> PortHolder? {
    let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { inodes(in: $0, port: port) })
    guard !sockets.isEmpty, let names = try? Folder.names(in: "/proc") else { return nil }
    for name in names {
      guard let process = Int32(name), let descriptors = try? Folder.names(in: "/proc/\(name)/fd") else { continue }
      let holds = descriptors.contains { descriptor in
        guard let target = try? ProcessEnvironment.linkTarget("/proc/\(name)/fd/\(descriptor)") else { return false }
        return sockets.contains(target)
      }
      if holds { return PortHolder(processID: process, command: commandName(of: name)) }
    }
    return nil
  }

  /// Returns whether any process, including another user's, is listening on the port; false where `/proc` is not mounted.
  package static func isTaken(_ port: UInt16) -> Bool {
    ["/proc/net/tcp", "/proc/net/tcp6"].contains { !inodes(in: $0, port: port).isEmpty }
  }

  /// Returns the `socket:[INODE]` names of listening sockets (state 0A) on that port.
  private static func inodes(in table: String, port: UInt16) -> [String] {
    guard let bytes = try? File.read(table, limit: 16 << 20) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
        UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
      else { return nil }
      return "socket:[\(fields[9])]"
    }
  }

  private static func commandName(of process: String) -> String {
    guard let bytes = try? File.read("/proc/\(process)/comm", limit: 4096) else { return "?" }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
