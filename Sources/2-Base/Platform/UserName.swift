internal import Glibc

/// The names of users.
enum UserName {
  /// The space for a user's entry in bytes. If it is too small, the user's number is shown.
  private static let space = 16_384

  /// Returns a user's name (`getpwuid_r(3)`), such as `sasha`; `the user 1234` for an unknown number.
  static func of(_ number: UInt32) -> String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: space)
    let name = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
      guard unsafe getpwuid_r(number, &entry, buffer.baseAddress!, buffer.count, &found) == 0, unsafe found != nil
      else {
        return nil
      }
      return unsafe String(cString: entry.pw_name)
    }
    // All users without their own name share this name. By itself it would read like “to no one”.
    guard let name, name != "nobody" else { return "the user \(name ?? "\(number)")" }
    return name
  }
}
