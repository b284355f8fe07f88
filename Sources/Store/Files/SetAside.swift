package import CivilTime
package import Platform

/// Where the files of an account's former user were moved.
package struct SetAside: Sendable, Hashable {
  /// The folder that holds the former `token.json`; `nil` when there was no token.
  package let state: String?
  /// The folder that holds the former database.
  package let data: String?
  /// The folder that holds the former published file.
  package let cache: String?

  /// What there is, for the user to read.
  package var folders: [String] { [state, data, cache].compactMap { $0 } }
}

extension AccountFiles {
  /// Moves the files of the account's user out of the way of another one, as `ACCOUNT.was-USER-TIME` beside its folders.
  ///
  /// The database must be closed. The token goes first: after a stop in between the database still says whose it is, and
  /// the same call moves the rest.
  package func setAside(userID: String, at now: Timestamp) throws(SystemError) -> SetAside {
    let name = "was-" + Self.fileName(of: userID)
    var state: String?
    if File.exists(token) {
      // Only the token: what else lies there (a corrupt one, the place reserved for the new one) stays.
      let folder = FreePath.beside(stateFolder, name, at: now)
      try Folder.create(folder)
      try File.rename(token, to: "\(folder)/token.json")
      try Folder.sync(folder)
      try Folder.sync(stateFolder)
      try Self.syncParent(of: folder)
      state = folder
    }
    return SetAside(
      state: state, data: try Self.moveFolder(dataFolder, name, at: now),
      cache: try Self.moveFolder(cacheFolder, name, at: now))
  }

  private static func moveFolder(_ folder: String, _ name: String, at now: Timestamp) throws(SystemError) -> String? {
    guard File.exists(folder) else { return nil }
    let aside = FreePath.beside(folder, name, at: now)
    try File.rename(folder, to: aside)
    try syncParent(of: aside)
    return aside
  }

  private static func syncParent(of path: String) throws(SystemError) {
    if let parent = Folder.parent(of: path) { try Folder.sync(parent) }
  }

  /// A user's id is opaque, so only what is harmless in a file's name is kept of it.
  private static func fileName(of userID: String) -> String {
    String(userID.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
  }
}

/// Finds a name that nothing has yet, for what is set aside.
enum FreePath {
  /// - Returns: `path` and the time, as in `token.json.corrupt-20261120T160000Z`, with a number if that is taken too.
  ///
  /// The capital letters make it no account's name. Free means free for the owner of the state, the only one who asks.
  static func beside(_ path: String, _ why: String, at now: Timestamp, suffixes: [String] = [""]) -> String {
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
