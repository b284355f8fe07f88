internal import Glibc

/// The operating system and this machine's names.
package struct MachineDescription: Sendable, Hashable {
  /// `PRETTY_NAME` of os-release(5), such as `Debian GNU/Linux 12 (bookworm)`.
  package let system: String
  /// The kernel, such as `Linux 6.1.0`, without the build name.
  package let kernel: String
  /// The processor's architecture, such as `x86_64`.
  package let architecture: String
  /// The host name, which identifies the machine on its network.
  package let hostName: String
  /// The user's login name; empty if the user has none.
  package let userName: String

  /// The description of this machine, from `uname(2)`, os-release(5) and `getpwuid(3)`.
  package static var current: MachineDescription {
    var names = utsname()
    _ = unsafe uname(&names)
    let user = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) }
    return MachineDescription(
      system: systemName, kernel: "\(text(names.sysname)) \(text(names.release).prefix { $0.isNumber || $0 == "." })",
      architecture: text(names.machine),
      hostName: text(names.nodename), userName: user ?? "")
  }

  private static var systemName: String {
    for path in ["/etc/os-release", "/usr/lib/os-release"] {
      guard let bytes = try? File.read(path, limit: 65_536) else { continue }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
        return String(line.dropFirst("PRETTY_NAME=".count)).filter { $0 != "\"" && $0 != "'" }
      }
    }
    return "an unknown system"
  }

  private static func text<Array>(_ field: Array) -> String {
    unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
