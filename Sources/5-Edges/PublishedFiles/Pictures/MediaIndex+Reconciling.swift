internal import Platform
internal import StorageSQLite
internal import Time

extension MediaIndex {
  /// Makes the files and the index consistent when the store is opened.
  ///
  /// Adds pictures that are missing from the index, for example because the index was lost. They are recorded as pictures that no current
  /// page refers to, although an older page may. Removes unknown files, incomplete pictures, and parts older than a week.
  func reconcile(with files: MediaFiles, at now: Timestamp) throws {
    try addPictures(files, at: now)
    try dropOldParts(files, before: now - MediaRetry.steps[MediaRetry.steps.count - 1])
  }

  private func addPictures(_ files: MediaFiles, at now: Timestamp) throws {
    var known: [String: Int] = [:]
    try connection.run("SELECT hash, bytes FROM pictures") { known[$0.text(0)] = $0.amount(1) }
    var found: Set<String> = []
    for (path, picture) in try files.all() {
      guard let picture else {
        try File.remove(path)
        continue
      }
      if let bytes = known[picture.hash], files.has(picture, bytes: bytes) {
        found.insert(picture.hash)
        continue
      }
      // A power failure can leave a file without its content.
      let bytes = try TrustedFile.read(path, limit: MediaFiles.sizeLimit)
      guard try PictureName(of: bytes) == picture else {
        try File.remove(path)
        continue
      }
      found.insert(picture.hash)
      try connection.run(
        "INSERT OR REPLACE INTO pictures (hash, type, bytes, used_at) VALUES (?, ?, ?, ?)",
        [
          .text(picture.hash), .text(picture.type.rawValue), .integer(Int64(bytes.count)),
          .integer(now.milliseconds),
        ])
    }
    for hash in known.keys where !found.contains(hash) {
      try connection.run("DELETE FROM pictures WHERE hash = ?", [.text(hash)])
    }
  }

  private func dropOldParts(_ files: MediaFiles, before: Timestamp) throws {
    try connection.run("DELETE FROM parts WHERE kept_at < ?", [.integer(before.milliseconds)])
    try connection.run("DELETE FROM sources WHERE hash IS NULL AND next_try < ?", [.integer(before.milliseconds)])
    let known = Set(try connection.all("SELECT file FROM parts") { $0.text(0) })
    for name in try files.allParts() where !known.contains(name) { try File.remove(files.path(ofPart: name)) }
  }
}
