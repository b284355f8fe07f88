internal import Glibc

/// What this process's user namespace shows of users (user_namespaces(7)).
enum UserNamespace {
  /// What `/proc/sys/kernel/overflowuid` says where nobody has changed it.
  private static let usualOverflow: UInt32 = 65534

  /// Whether a user can be told from others by number. Those that a namespace does not map all have one number in it, the overflow user's:
  /// who has that number himself cannot tell them from himself.
  static func tellsOthersApart(from user: UInt32) -> Bool {
    let overflow = number(in: "/proc/sys/kernel/overflowuid") ?? usualOverflow
    return user != overflow || mapsEveryUser
  }

  /// Whether it is the initial namespace, or like it.
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
