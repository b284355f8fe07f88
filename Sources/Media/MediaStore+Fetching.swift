internal import CivilTime
internal import HomelineOAuth
internal import Platform
internal import SQLite
internal import Storage

extension MediaStore {
  /// What became of bytes that were fetched.
  package enum Kept: Sendable, Hashable {
    case kept(PictureName)
    /// They are none of the types that are kept.
    case notAPicture
    /// All together would be over the limit, and nothing may go.
    case noRoom
    /// The file could not be written; why was logged.
    case failed
  }

  /// Which of these are worth fetching, in the order given, each once: not kept, not being fetched, and not at rest after a failure.
  /// None while there is no room.
  package func missing(_ urls: [String], limit count: Int = .max) -> [String] {
    guard !urls.isEmpty else { return [] }
    return onIndex(making: true) { index, now throws(StorageError) in
      guard try hasRoom(index, at: now) else { return [] }
      var missing: [String] = []
      var seen: Set<String> = []
      for url in urls where missing.count < count && seen.insert(url).inserted {
        if try isMissing(url, index, at: now) { missing.append(url) }
      }
      return missing
    } ?? []
  }

  /// Takes a URL to be fetched.
  /// - Returns: `nil` when it is not missing any more.
  package func claim(_ url: String) -> MediaClaim? {
    onIndex(making: true) { index, now throws(StorageError) in
      guard try hasRoom(index, at: now), try isMissing(url, index, at: now) else { return nil }
      claimed.insert(url)
      return MediaClaim(url: url, part: try part(of: url, index))
    } ?? nil
  }

  /// Keeps what was fetched, whole. What is no picture counts as a failure of its URL, and so does what there is no room for.
  package func keep(_ bytes: [UInt8], of claim: MediaClaim) -> Kept {
    onIndex(making: true) { index, now throws(StorageError) in
      claimed.remove(claim.url)
      try removePart(of: claim.url, index)
      let name: PictureName?
      do throws(CryptographyError) { name = try PictureName(of: bytes) } catch {
        trouble("\(error)")
        return .failed
      }
      guard let name else {
        try note(failureOf: claim.url, index, at: now)
        return .notAPicture
      }
      let isKnown = try index.connection.first("SELECT 1 FROM pictures WHERE hash = ?", [.text(name.hash)]) { _ in true
      }
      if isKnown == nil || !files.has(name, bytes: bytes.count) {
        try shrink(index, to: limit - bytes.count, at: now)
        guard try total(index) + bytes.count <= limit else {
          refusedSize = bytes.count
          try note(failureOf: claim.url, index, at: now)
          return .noRoom
        }
        do throws(SystemError) { try files.write(bytes, as: name) } catch {
          trouble("\(error)")
          try note(failureOf: claim.url, index, at: now)
          return .failed
        }
      }
      try index.connection.transaction { () throws(StorageError) in
        try index.connection.run(
          """
          INSERT INTO pictures (hash, type, bytes, used_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (hash) DO UPDATE SET doomed = 0, used_at = excluded.used_at
          """,
          [
            .text(name.hash), .text(name.type.rawValue), .integer(Int64(bytes.count)), .integer(now.milliseconds),
          ])
        try index.connection.run(
          "INSERT OR REPLACE INTO sources (url, hash) VALUES (?, ?)", [.text(claim.url), .text(name.hash)])
      }
      return .kept(name)
    } ?? .failed
  }

  /// No picture came: it is not asked for again before a while, which grows.
  package func fail(_ claim: MediaClaim) {
    onIndex { index, now throws(StorageError) in
      claimed.remove(claim.url)
      try removePart(of: claim.url, index)
      try note(failureOf: claim.url, index, at: now)
    }
  }

  /// A transfer broke: what came stays, to go on from there.
  /// - Parameters:
  ///   - part: all that came until now; `nil` keeps what there was.
  ///   - isFailure: whether that counts as one. It does not where we ended it ourselves.
  package func interrupt(_ claim: MediaClaim, _ part: MediaClaim.Part?, isFailure: Bool) {
    onIndex { index, now throws(StorageError) in
      claimed.remove(claim.url)
      if isFailure {
        // One that comes along is not made to wait ever longer.
        let gained = (part?.bytes.count ?? 0) - (claim.part?.bytes.count ?? 0)
        try note(failureOf: claim.url, index, at: now, startingOver: gained >= Self.progress)
      }
      guard let part, try total(index) + part.bytes.count <= limit else { return }
      try keep(part, of: claim.url, index, at: now)
    }
  }

  /// Nothing was asked after all.
  package func release(_ claim: MediaClaim) { onQueue { _ = claimed.remove(claim.url) } }

  /// How much of a picture must come in one transfer for it to count as coming along, in bytes.
  private static let progress = 64 << 10

  // MARK: On the queue

  private func hasRoom(_ index: MediaIndex, at now: Timestamp) throws(StorageError) -> Bool {
    guard limit > 0 else { return false }
    guard let refusedSize else { return true }
    return try total(index) - removable(index, at: now) + refusedSize <= limit
  }

  private func isMissing(_ url: String, _ index: MediaIndex, at now: Timestamp) throws(StorageError) -> Bool {
    guard !claimed.contains(url) else { return false }
    let source = try index.connection.first(
      "SELECT hash IS NOT NULL, next_try FROM sources WHERE url = ?", [.text(url)]
    ) {
      (isKept: $0.integer(0) != 0, next: Timestamp(milliseconds: $0.integer(1)))
    }
    guard let source else { return true }
    return !source.isKept && MediaRetry.isOver(source.next, at: now)
  }

  private func note(
    failureOf url: String, _ index: MediaIndex, at now: Timestamp, startingOver: Bool = false
  ) throws(StorageError) {
    let before = try index.connection.first("SELECT tries FROM sources WHERE url = ?", [.text(url)]) { $0.integer(0) }
    let tries = startingOver ? 1 : (before ?? 0) + 1
    try index.connection.run(
      "INSERT OR REPLACE INTO sources (url, hash, tries, next_try) VALUES (?, NULL, ?, ?)",
      [
        .text(url), .integer(tries),
        .integer(MediaRetry.nextTry(after: Int(clamping: tries), at: now).milliseconds),
      ])
  }
}

/// Reading pictures in a process that does not own them: meanwhile none is removed.
package enum MediaReading {
  /// Runs the body, in which a page may be read and then the pictures that it names.
  ///
  /// What the owner would remove meanwhile it removes later; it never waits for a reader, and a reader waits at most for a removal that
  /// is under way. Whoever looks at a page for longer, such as a browser, is served by time instead: see ``MediaStore``.
  /// - Parameter folder: `FileLayout.mediaFolder`; where there is none there are no pictures.
  /// - Throws: `SystemError`, and what the body throws.
  package static func during<Answer>(_ folder: String, _ body: () throws -> Answer) throws -> Answer {
    let lock: FileLock
    do throws(SystemError) { lock = try .share(MediaFiles(folder: folder).lock) } catch {
      guard error.isNoEntry else { throw error }
      return try body()
    }
    let answer = Result { try body() }
    _ = consume lock
    return try answer.get()
  }
}
