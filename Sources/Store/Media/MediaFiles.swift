internal import CivilTime
internal import HomelineOAuth
internal import Platform

/// Where the files of the pictures lie, and how they are brought there and taken away.
struct MediaFiles: Sendable {
  /// `_media` in the cache folder.
  let folder: String

  var index: String { "\(folder)/index.db" }
  /// Held by who reads (shared) and who removes (alone): see ``MediaReading``.
  var lock: String { "\(folder)/lock" }
  private var parts: String { "\(folder)/part" }

  func path(of picture: PictureName) -> String { "\(folder)/\(picture.shelf)/\(picture.fileName)" }
  func path(ofPart name: String) -> String { "\(parts)/\(name)" }

  /// Makes the folder where it is missing, and in it the lock, which is there before the first picture.
  func create() throws(SystemError) {
    try Folder.create(folder)
    try PrivateFile.create(lock)
  }

  func write(_ bytes: [UInt8], as picture: PictureName) throws(SystemError) {
    try Folder.create("\(folder)/\(picture.shelf)")
    try AtomicFile.write(bytes, to: path(of: picture), .replaced)
  }

  func write(_ bytes: [UInt8], asPart name: String) throws(SystemError) {
    try Folder.create(parts)
    try AtomicFile.write(bytes, to: path(ofPart: name), .replaced)
  }

  /// Whether the picture is there, whole.
  func has(_ picture: PictureName, bytes: Int) -> Bool {
    guard let facts = try? FileFacts.of(path(of: picture)) else { return false }
    return facts.isRegular && facts.size == bytes
  }

  /// Every file below the folder's shelves, by its path; a name that none of ours can have stands without a picture.
  func all() throws(SystemError) -> [(path: String, picture: PictureName?)] {
    var all: [(String, PictureName?)] = []
    for shelf in try Folder.names(in: folder) where shelf.utf8.count == 2 {
      let folder = "\(folder)/\(shelf)"
      guard Self.isFolder(folder) else { continue }
      for name in try Folder.names(in: folder) {
        let picture = PictureName(fileName: name)
        all.append(("\(folder)/\(name)", picture?.shelf == shelf ? picture : nil))
      }
    }
    return all
  }

  /// The names of the parts that are there.
  func allParts() throws(SystemError) -> [String] { Self.isFolder(parts) ? try Folder.names(in: parts) : [] }

  /// What is found in a folder of ours and is not known is removed. Behind a symbolic link lies what is not ours.
  private static func isFolder(_ path: String) -> Bool { (try? FileFacts.ofLink(path))?.isFolder ?? false }
}

/// The beginnings of pictures whose transfers broke. Each is to be called on the queue.
extension MediaStore {
  /// No picture is larger, in bytes; a larger file is none of ours.
  static let partLimit = 16 << 20

  func part(of url: String, _ index: MediaIndex) throws(SQLiteError) -> MediaClaim.Part? {
    let sql = "SELECT file, bytes, validator FROM parts WHERE url = ?"
    let row = try index.connection.first(sql, [.text(url)]) {
      (file: $0.text(0), bytes: Int($0.integer(1)), validator: $0.text(2))
    }
    guard let row else { return nil }
    let bytes = try? OwnFile.read(files.path(ofPart: row.file), limit: Self.partLimit)
    guard let bytes, bytes.count == row.bytes else {
      try removePart(of: url, index)
      return nil
    }
    return MediaClaim.Part(bytes: bytes, validator: row.validator)
  }

  func keep(
    _ part: MediaClaim.Part, of url: String, _ index: MediaIndex, at now: Timestamp
  ) throws(SQLiteError) {
    let file: String
    do {
      file = try PictureName.hash(of: Array(url.utf8))
      try files.write(part.bytes, asPart: file)
    } catch { return trouble("\(error)") }
    try index.connection.run(
      "INSERT OR REPLACE INTO parts (url, file, bytes, validator, kept_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(url), .text(file), .integer(Int64(part.bytes.count)), .text(part.validator),
        .integer(now.milliseconds),
      ])
  }

  func removePart(of url: String, _ index: MediaIndex) throws(SQLiteError) {
    let file = try index.connection.first("SELECT file FROM parts WHERE url = ?", [.text(url)]) { $0.text(0) }
    guard let file else { return }
    do throws(SystemError) { try File.remove(files.path(ofPart: file)) } catch { trouble("\(error)") }
    try index.connection.run("DELETE FROM parts WHERE url = ?", [.text(url)])
  }
}
