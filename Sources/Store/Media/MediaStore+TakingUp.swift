internal import CivilTime
internal import HomelineOAuth
internal import Platform

/// What is done when the store is opened: files and index say the same afterwards. To be called on the queue.
extension MediaStore {
  /// Pictures without an entry, whose index was lost, are taken up as ones that no page names now: a page that was written before may do
  /// so. What is none of ours, not whole, or older than a week and never finished, goes.
  func takeUp(_ index: MediaIndex, at now: Timestamp) throws {
    try takeUpPictures(index, at: now)
    try dropOldParts(index, before: now - MediaPatience.steps[MediaPatience.steps.count - 1])
  }

  private func takeUpPictures(_ index: MediaIndex, at now: Timestamp) throws {
    var known: [String: Int] = [:]
    try index.connection.run("SELECT hash, bytes FROM pictures") { known[$0.text(0)] = Int($0.integer(1)) }
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
      // A power cut can leave a file without its content.
      let bytes = try OwnFile.read(path, limit: Self.partLimit)
      guard try PictureName(of: bytes) == picture else {
        try File.remove(path)
        continue
      }
      found.insert(picture.hash)
      try index.connection.run(
        "INSERT OR REPLACE INTO pictures (hash, type, bytes, used_at) VALUES (?, ?, ?, ?)",
        [
          .text(picture.hash), .text(picture.type.rawValue), .integer(Int64(bytes.count)),
          .integer(now.milliseconds),
        ])
    }
    for hash in known.keys where !found.contains(hash) {
      try index.connection.run("DELETE FROM pictures WHERE hash = ?", [.text(hash)])
    }
  }

  private func dropOldParts(_ index: MediaIndex, before: Timestamp) throws {
    try index.connection.run("DELETE FROM parts WHERE kept_at < ?", [.integer(before.milliseconds)])
    try index.connection.run("DELETE FROM sources WHERE hash IS NULL AND next_try < ?", [.integer(before.milliseconds)])
    let known = Set(try index.connection.all("SELECT file FROM parts") { $0.text(0) })
    for name in try files.allParts() where !known.contains(name) { try File.remove(files.path(ofPart: name)) }
  }
}
