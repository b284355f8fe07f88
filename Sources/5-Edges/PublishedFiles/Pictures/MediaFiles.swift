internal import Platform
internal import StorageSQLite
internal import Time

/// The paths of the picture files, and the operations that store and remove them.
struct MediaFiles: Sendable {
  /// The maximum size of a picture in bytes. Larger files were not written by this program.
  static let sizeLimit = 16 << 20

  /// `_media` in the cache folder.
  let folder: String

  var index: String { "\(folder)/index.db" }
  /// The lock file. Readers hold a shared lock on it, and a removal holds an exclusive one: see ``MediaReading``.
  var lock: String { "\(folder)/lock" }
  private var parts: String { "\(folder)/part" }

  func path(of picture: PictureName) -> String { picture.path(in: folder) }
  func path(ofPart name: String) -> String { "\(parts)/\(name)" }

  /// Creates the folder and the lock file if they do not exist. The lock file is created before the first picture.
  func create() throws(SystemError) {
    try Folder.create(folder)
    try PrivateFile.create(lock)
  }

  func write(_ bytes: [UInt8], as picture: PictureName) throws(SystemError) {
    try Folder.create("\(folder)/\(picture.table)")
    try AtomicFile.write(bytes, to: path(of: picture), .replaced)
  }

  func write(_ bytes: [UInt8], asPart name: String) throws(SystemError) {
    try Folder.create(parts)
    try AtomicFile.write(bytes, to: path(ofPart: name), .replaced)
  }

  /// Returns whether the complete picture is stored.
  func has(_ picture: PictureName, bytes: Int) -> Bool {
    guard let facts = try? FileStatus.of(path(of: picture)) else { return false }
    return facts.isRegular && facts.size == bytes
  }

  /// Returns every file in the picture folders: its path, and its picture; `nil` if the file name does not belong to a
  /// picture.
  func all() throws(SystemError) -> [(path: String, picture: PictureName?)] {
    var all: [(String, PictureName?)] = []
    for table in try Folder.names(in: folder) where table.utf8.count == 2 {
      let folder = "\(folder)/\(table)"
      guard Self.isFolder(folder) else { continue }
      for name in try Folder.names(in: folder) {
        let picture = PictureName(fileName: name)
        all.append(("\(folder)/\(name)", picture?.table == table ? picture : nil))
      }
    }
    return all
  }

  /// Returns the names of the stored parts.
  func allParts() throws(SystemError) -> [String] { Self.isFolder(parts) ? try Folder.names(in: parts) : [] }

  /// Returns whether the path is a folder and not a symbolic link. Links are not followed, because unknown files are removed.
  private static func isFolder(_ path: String) -> Bool { (try? FileStatus.ofLink(path))?.isFolder ?? false }
}
