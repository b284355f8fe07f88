internal import Platform
package import Time

/// Finds an unused name for a file that is moved aside.
package enum FreePath {
  /// Returns an unused path next to a file.
  /// - Returns: `path` with the reason and the time, as in `token.json.corrupt-20261120T160000Z`. If that name is taken too, a number is
  ///   appended.
  ///
  /// The result contains capital letters, so it cannot be an account's name. Only the state owner calls this function, so an unused
  /// name remains unused.
  package static func beside(_ path: String, _ why: String, at now: Timestamp, suffixes: [String] = [""]) -> String {
    let stamped = "\(path).\(why)-\(now.rfc3339.filter { $0 != "-" && $0 != ":" })"
    var candidate = stamped
    var number = 2
    while suffixes.contains(where: { FreeName.isTaken(candidate + $0) }) {
      candidate = "\(stamped)-\(number)"
      number += 1
    }
    return candidate
  }
}
