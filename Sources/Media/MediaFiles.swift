internal import CivilTime
internal import HomelineOAuth
internal import Platform
internal import SQLite

/// Where the files of the pictures lie, and how they are brought there and taken away.
struct MediaFiles: Sendable {
  /// `_media` in the cache folder.
  let folder: String

  var index: String { "\(folder)/index.db" }
  /// Held by who reads (shared) and who removes (alone): see ``MediaReading``.
  var lock: String { "\(folder)/lock" }
  private var parts: String { "\(folder)/part" }

  func path(of picture: PictureName) -> String { "\(folder)/\(picture.table)/\(picture.fileName)" }
  func path(ofPart name: String) -> String { "\(parts)/\(name)" }

  /// Makes the folder where it is missing, and in it the lock, which is there before the first picture.
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

  /// Whether the picture is there, whole.
  func has(_ picture: PictureName, bytes: Int) -> Bool {
    guard let facts = try? FileStatus.of(path(of: picture)) else { return false }
    return facts.isRegular && facts.size == bytes
  }

  /// Every file below the folder's shelves, by its path; a name that none of ours can have stands without a picture.
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

  /// The names of the parts that are there.
  func allParts() throws(SystemError) -> [String] { Self.isFolder(parts) ? try Folder.names(in: parts) : [] }

  /// What is found in a folder of ours and is not known is removed. Behind a symbolic link lies what is not ours.
  private static func isFolder(_ path: String) -> Bool { (try? FileStatus.ofLink(path))?.isFolder ?? false }
}
