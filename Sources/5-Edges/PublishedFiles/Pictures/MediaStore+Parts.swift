internal import Platform
internal import Storage
internal import StorageSQLite
internal import Time

/// Parts of pictures whose transfers were interrupted. Call these methods on the queue.
extension MediaStore {
  func part(of url: String, _ index: MediaIndex) throws(StorageError) -> MediaClaim.Part? {
    let sql = "SELECT file, bytes, validator FROM parts WHERE url = ?"
    let row = try index.connection.first(sql, [.text(url)]) {
      (file: $0.text(0), bytes: $0.amount(1), validator: $0.text(2))
    }
    guard let row else { return nil }
    let bytes = try? TrustedFile.read(files.path(ofPart: row.file), limit: MediaFiles.sizeLimit)
    guard let bytes, bytes.count == row.bytes else {
      try removePart(of: url, index)
      return nil
    }
    return MediaClaim.Part(bytes: bytes, validator: row.validator)
  }

  func keep(
    _ part: MediaClaim.Part, of url: String, _ index: MediaIndex, at now: Timestamp
  ) throws(StorageError) {
    let file: String
    do {
      file = try PictureName.hash(of: Array(url.utf8))
      try files.write(part.bytes, asPart: file)
    } catch { return logFailure("\(error)") }
    try index.connection.run(
      "INSERT OR REPLACE INTO parts (url, file, bytes, validator, kept_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(url), .text(file), .integer(Int64(part.bytes.count)), .text(part.validator),
        .integer(now.milliseconds),
      ])
  }

  func removePart(of url: String, _ index: MediaIndex) throws(StorageError) {
    let file = try index.connection.first("SELECT file FROM parts WHERE url = ?", [.text(url)]) { $0.text(0) }
    guard let file else { return }
    do throws(SystemError) { try File.remove(files.path(ofPart: file)) } catch { logFailure("\(error)") }
    try index.connection.run("DELETE FROM parts WHERE url = ?", [.text(url)])
  }
}
