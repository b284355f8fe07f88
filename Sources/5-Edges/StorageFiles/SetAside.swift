internal import Folders
package import Platform
package import Time

extension AccountFiles {
  /// Moves the account user's files to `ACCOUNT.was-USER-TIME` next to the account's folders, so that another user can use the account.
  ///
  /// - Returns: the new folders.
  ///
  /// The database must be closed. The token is moved first: if the process is stopped in between, the database still identifies the user,
  /// and repeating the call moves the rest.
  package func setAside(userID: String, at now: Timestamp) throws(SystemError) -> [String] {
    let name = "was-" + Self.fileName(of: userID)
    var state: String?
    if File.exists(token) {
      // Only the token is moved. Other files, such as a corrupt token or the space reserved for the new one, remain.
      let folder = FreePath.beside(stateFolder, name, at: now)
      try Folder.create(folder)
      try File.rename(token, to: "\(folder)/token.json")
      try Folder.sync(folder)
      try Folder.sync(stateFolder)
      try Self.syncParent(of: folder)
      state = folder
    }
    try openedPages.remove()
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

  /// Returns those characters of a user's id that are safe in a file name. The id itself is opaque.
  private static func fileName(of userID: String) -> String {
    String(userID.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
  }
}
