internal import CivilTime
internal import HomelineOAuth

extension MediaStore {
  /// Writes an owner's page, and keeps what it names.
  ///
  /// Naming and writing are one step in the order of the queue: no picture goes between being named and standing on the page. When
  /// the body throws, the page before it is taken to stand: what it names stays too.
  /// - Parameters:
  ///   - urls: of the pictures on the page, the most wanted first; what the page before named and this one does not may go after ``grace``.
  ///   - owner: `account:NAME` or `view:NAME`.
  ///   - write: writes the page. It gets, of those that are kept, where each lies below the cache folder (`_media/ab/….jpg`); it must not
  ///     ask this store for anything.
  package func name<Answer, Failure: Error>(
    _ urls: [String], by owner: String,
    writing write: ([String: String]) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let outcome: Result<Answer, Failure> = onQueue {
      let found =
        limit > 0 ? withIndex { index, now throws(SQLiteError) in try kept(urls, for: owner, index) } ?? [:] : [:]
      let new = Set(found.values)
      // Before the page stands, so that a process that is killed between the two has named too much rather than too little.
      let former = withIndex { index, now throws(SQLiteError) in try add(new, to: owner, index) } ?? []
      do throws(Failure) {
        let answer = try write(found.mapValues(\.path))
        withIndex { index, now throws(SQLiteError) in
          try drop(former.subtracting(new.map(\.hash)), of: owner, at: now, index)
          try removeDoomed(index, at: now)
          try shrink(index, to: limit, at: now)
        }
        return .success(answer)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// An owner has no page any more.
  package func forget(owner: String) {
    onIndex { index, now throws(SQLiteError) in
      try drop(try names(of: owner, index), of: owner, at: now, index)
      try removeDoomed(index, at: now)
    }
  }

  /// Forgets every owner but these.
  package func retain(owners: Set<String>) {
    onIndex { index, now throws(SQLiteError) in
      let known = try index.connection.all("SELECT DISTINCT owner FROM names") { $0.text(0) }
      for owner in known where !owners.contains(owner) {
        try drop(try names(of: owner, index), of: owner, at: now, index)
      }
      try removeDoomed(index, at: now)
    }
  }

  /// Which of these are kept and whole, as far as there is room for what this owner names beside what the others do.
  private func kept(
    _ urls: [String], for owner: String, _ index: MediaIndex
  ) throws(SQLiteError) -> [String: PictureName] {
    let others = "SELECT DISTINCT hash FROM names WHERE owner <> ?"
    var shared = Set<String>()
    var room = limit
    try index.connection.run("SELECT hash, bytes FROM pictures WHERE hash IN (\(others))", [.text(owner)]) { row in
      shared.insert(row.text(0))
      room -= Int(row.integer(1))
    }
    var found: [String: PictureName] = [:]
    for url in urls where found[url] == nil {
      guard let (picture, bytes) = try picture(from: url, index) else { continue }
      guard files.has(picture, bytes: bytes) else {
        // Somebody took it away: it is fetched anew.
        try index.connection.run("DELETE FROM pictures WHERE hash = ?", [.text(picture.hash)])
        continue
      }
      if !shared.contains(picture.hash) {
        guard bytes <= room else { continue }
        shared.insert(picture.hash)
        room -= bytes
      }
      found[url] = picture
    }
    return found
  }

  private func picture(from url: String, _ index: MediaIndex) throws(SQLiteError) -> (PictureName, bytes: Int)? {
    let sql = "SELECT hash, type, bytes FROM sources JOIN pictures USING (hash) WHERE url = ?"
    return try index.connection.first(sql, [.text(url)]) { row -> (PictureName, bytes: Int)? in
      PictureType(rawValue: row.text(1)).map { (PictureName(hash: row.text(0), type: $0), Int(row.integer(2))) }
    } ?? nil
  }

  private func names(of owner: String, _ index: MediaIndex) throws(SQLiteError) -> Set<String> {
    Set(try index.connection.all("SELECT hash FROM names WHERE owner = ?", [.text(owner)]) { $0.text(0) })
  }

  /// - Returns: what the owner named before.
  private func add(
    _ pictures: Set<PictureName>, to owner: String, _ index: MediaIndex
  ) throws(SQLiteError) -> Set<String> {
    let former = try names(of: owner, index)
    let added = pictures.map(\.hash).filter { !former.contains($0) }
    guard !added.isEmpty else { return former }
    try index.connection.transaction { () throws(SQLiteError) in
      for hash in added {
        try index.connection.run("INSERT INTO names (owner, hash) VALUES (?, ?)", [.text(owner), .text(hash)])
        try index.connection.run("UPDATE pictures SET doomed = 0 WHERE hash = ? AND doomed", [.text(hash)])
      }
    }
    return former
  }

  private func drop(
    _ hashes: Set<String>, of owner: String, at now: Timestamp, _ index: MediaIndex
  ) throws(SQLiteError) {
    guard !hashes.isEmpty else { return }
    try index.connection.transaction { () throws(SQLiteError) in
      for hash in hashes {
        try index.connection.run("DELETE FROM names WHERE owner = ? AND hash = ?", [.text(owner), .text(hash)])
        try index.connection.run(
          "UPDATE pictures SET used_at = ? WHERE hash = ?", [.integer(now.milliseconds), .text(hash)])
      }
    }
  }
}

/// The name of a kept picture: what its bytes hash to (SHA-256), and its type. The same bytes have one name, whoever shows them.
package struct PictureName: Sendable, Hashable {
  /// 64 hexadecimal digits.
  package let hash: String
  package let type: PictureType

  init(hash: String, type: PictureType) {
    self.hash = hash
    self.type = type
  }

  /// - Returns: `nil` for bytes that are no picture.
  init?(of bytes: [UInt8]) throws(CryptographyError) {
    guard let type = PictureType(of: bytes) else { return nil }
    self.init(hash: try Self.hash(of: bytes), type: type)
  }

  /// The name that a file has; `nil` for one that is not called like a picture.
  init?(fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 64, parts[0].utf8.allSatisfy(Self.digits.contains),
      let type = PictureType(rawValue: String(parts[1]))
    else { return nil }
    self.init(hash: String(parts[0]), type: type)
  }

  package var fileName: String { "\(hash).\(type.suffix)" }
  /// The folder that it lies in, one of 256.
  var shelf: String { String(hash.prefix(2)) }
  /// Below the cache folder, as published pages name it.
  package var path: String { "_media/\(shelf)/\(fileName)" }

  private static let digits = Array("0123456789abcdef".utf8)

  static func hash(of bytes: [UInt8]) throws(CryptographyError) -> String {
    let digest = try SHA256.digest(of: bytes)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// What a picture is, judged by its first bytes alone: whatever a server says of it, nothing else is kept. SVG and HTML, which can hold
/// programs, begin like none of these.
package enum PictureType: String, Sendable, Hashable, CaseIterable {
  case jpeg = "jpg"
  case png, gif, webp, avif

  /// - Returns: `nil` for what is none of these.
  package init?(of bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(64))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if Self.brands(of: head).contains(where: { $0 == "avif" || $0 == "avis" }) {
      self = .avif
    } else {
      return nil
    }
  }

  /// How a file of it is called behind the dot.
  package var suffix: String { rawValue }

  /// The brands of a file that begins with a box `ftyp` (ISO/IEC 14496-12 §4.3): the major one, and those it is compatible with.
  private static func brands(of head: [UInt8]) -> [String] {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, head.count)
    // Behind the major brand stands its version.
    let starts = [8] + Array(stride(from: 16, through: end - 4, by: 4))
    return starts.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
  }
}
