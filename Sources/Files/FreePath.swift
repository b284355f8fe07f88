package import CivilTime
internal import Platform

/// Finds a name that nothing has yet, for what is set aside.
package enum FreePath {
  /// - Returns: `path` and the time, as in `token.json.corrupt-20261120T160000Z`, with a number if that is taken too.
  ///
  /// The capital letters make it no account's name. Free means free for the owner of the state, the only one who asks.
  package static func beside(_ path: String, _ why: String, at now: Timestamp, suffixes: [String] = [""]) -> String {
    let stamped = "\(path).\(why)-\(now.rfc3339.filter { $0 != "-" && $0 != ":" })"
    var candidate = stamped
    var number = 2
    while suffixes.contains(where: { File.exists(candidate + $0) }) {
      candidate = "\(stamped)-\(number)"
      number += 1
    }
    return candidate
  }
}
