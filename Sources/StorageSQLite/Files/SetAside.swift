package import CivilTime
internal import Files
package import Platform

extension AccountFiles {
  /// Moves the files of the account's user out of the way of another one, as `ACCOUNT.was-USER-TIME` beside its folders.
  ///
  /// - Returns: the folders that they are in now.
  ///
  /// The database must be closed. The token goes first: after a stop in between the database still says whose it is, and
  /// the same call moves the rest.
  package func setAside(userID: String, at now: Timestamp) throws(SystemError) -> [String] {
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
    let data = try Self.moveFolder(dataFolder, name, at: now)
    let cache = try Self.moveFolder(cacheFolder, name, at: now)
    return [state, data, cache].compactMap(\.self)
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
