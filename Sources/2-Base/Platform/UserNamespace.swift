/// The users that are visible in this process's user namespace (user_namespaces(7)).
enum UserNamespace {
  /// The default value of `/proc/sys/kernel/overflowuid`.
  private static let usualOverflow: UInt32 = 65534

  /// Returns whether this user id identifies a single user. All users that a namespace does not map share the overflow user's id, so a
  /// process with that id cannot distinguish them from itself.
  static func tellsOthersApart(from user: UInt32) -> Bool {
    let overflow = number(in: "/proc/sys/kernel/overflowuid") ?? usualOverflow
    return user != overflow || mapsEveryUser
  }

  /// Whether this namespace is the initial one, or equivalent to it.
  private static var mapsEveryUser: Bool {
    guard let map = try? File.read("/proc/self/uid_map", limit: 65536) else { return false }
    return map.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { String(decoding: $0, as: UTF8.self) } == ["0", "0", "4294967295"]
  }

  private static func number(in file: String) -> UInt32? {
    guard let bytes = try? File.read(file, limit: 100) else { return nil }
    return UInt32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
