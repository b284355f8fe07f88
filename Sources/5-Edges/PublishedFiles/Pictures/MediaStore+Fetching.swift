internal import Storage
internal import StorageSQLite
internal import Time
internal import Cryptography
internal import Platform

extension MediaStore {
  /// The result of storing fetched bytes.
  package enum StoreResult: Sendable, Hashable {
    case stored(PictureName)
    /// The bytes are not of a supported picture type.
    case notAPicture
    /// The picture would exceed the limit, and no other picture can be removed.
    case full
    /// The file could not be written. The reason was logged.
    case failed
  }

  /// Returns the URLs to fetch, in the given order and without duplicates. Leaves out URLs that are already stored, are being fetched, or
  /// are paused after a failure. Returns no URLs while the store is full.
  package func missing(_ urls: [String], limit count: Int = .max) -> [String] {
    guard !urls.isEmpty else { return [] }
    return onIndex(creating: true) { index, now throws(StorageError) in
      guard try hasSpace(index, at: now) else { return [] }
      var missing: [String] = []
      var seen: Set<String> = []
      for url in urls where missing.count < count && seen.insert(url).inserted {
        if try isMissing(url, index, at: now) { missing.append(url) }
      }
      return missing
    } ?? []
  }

  /// Claims a URL for fetching.
  /// - Returns: `nil` if the picture is no longer missing.
  package func claim(_ url: String) -> MediaClaim? {
    onIndex(creating: true) { index, now throws(StorageError) in
      guard try hasSpace(index, at: now), try isMissing(url, index, at: now) else { return nil }
      claimed.insert(url)
      return MediaClaim(url: url, part: try part(of: url, index))
    } ?? nil
  }

  /// Stores a complete picture. Bytes that are not a picture, or that exceed the limit, count as a failure of the URL.
  package func store(_ bytes: [UInt8], of claim: MediaClaim) -> StoreResult {
    onIndex(creating: true) { index, now throws(StorageError) in
      claimed.remove(claim.url)
      try removePart(of: claim.url, index)
      let name: PictureName?
      do throws(CryptographyError) { name = try PictureName(of: bytes) } catch {
        logFailure("\(error)")
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
          return .full
        }
        do throws(SystemError) { try files.write(bytes, as: name) } catch {
          logFailure("\(error)")
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
      return .stored(name)
    } ?? .failed
  }

  /// Records a failure. The URL is requested again only after a pause, which grows with each failure.
  package func fail(_ claim: MediaClaim) {
    onIndex { index, now throws(StorageError) in
      claimed.remove(claim.url)
      try removePart(of: claim.url, index)
      try note(failureOf: claim.url, index, at: now)
    }
  }

  /// Stores the bytes received in an interrupted transfer, so that it can be resumed.
  /// - Parameters:
  ///   - part: all bytes received so far; `nil` to keep the stored part.
  ///   - isFailure: whether to count this as a failure; false if this program cancelled the transfer.
  package func interrupt(_ claim: MediaClaim, _ part: MediaClaim.Part?, isFailure: Bool) {
    onIndex { index, now throws(StorageError) in
      claimed.remove(claim.url)
      if isFailure {
        // A transfer that made progress does not lengthen the pause.
        let gained = (part?.bytes.count ?? 0) - (claim.part?.bytes.count ?? 0)
        try note(failureOf: claim.url, index, at: now, startingOver: gained >= Self.progress)
      }
      guard let part, try total(index) + part.bytes.count <= limit else { return }
      try keep(part, of: claim.url, index, at: now)
    }
  }

  /// The number of bytes that one transfer must add to count as progress.
  private static let progress = 64 << 10

  // MARK: On the queue

  private func hasSpace(_ index: MediaIndex, at now: Timestamp) throws(StorageError) -> Bool {
    guard limit > 0 else { return false }
    guard let refusedSize else { return true }
    return try total(index) - removable(index, at: now) + refusedSize <= limit
  }

  private func isMissing(_ url: String, _ index: MediaIndex, at now: Timestamp) throws(StorageError) -> Bool {
    guard !claimed.contains(url) else { return false }
    let source = try index.connection.first(
      "SELECT hash IS NOT NULL, next_try FROM sources WHERE url = ?", [.text(url)]
    ) {
      (isKept: $0.flag(0), next: $0.time(1))
    }
    guard let source else { return true }
    return !source.isKept && MediaRetry.isOver(source.next, at: now)
  }

  private func note(
    failureOf url: String, _ index: MediaIndex, at now: Timestamp, startingOver: Bool = false
  ) throws(StorageError) {
    let before = try index.connection.first("SELECT tries FROM sources WHERE url = ?", [.text(url)]) { $0.amount(0) }
    let tries = startingOver ? 1 : (before ?? 0) + 1
    try index.connection.run(
      "INSERT OR REPLACE INTO sources (url, hash, tries, next_try) VALUES (?, NULL, ?, ?)",
      [
        .text(url), .integer(Int64(tries)),
        .integer(MediaRetry.nextTry(after: tries, at: now).milliseconds),
      ])
  }
}
