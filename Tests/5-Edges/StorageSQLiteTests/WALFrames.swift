/// The frames of a write-ahead log on disk (sqlite.org/fileformat2.html#walformat) that belong to the log's current run. A log can be
/// restarted without being truncated, so frames from an earlier run may follow.
struct WALFrames {
  struct Frame: Equatable {
    let page: UInt32
    /// The size of the database in pages after this frame; 0 for all but the last frame of a transaction.
    let sizeAfter: UInt32
    var isCommit: Bool { sizeAfter != 0 }
  }

  let frames: [Frame]

  var commits: Int { frames.count(where: \.isCommit) }

  /// - Returns: the frames; `nil` if the file is not a log.
  init?(_ log: [UInt8]) {
    func word(_ offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    guard log.count >= 32, word(0) & ~1 == 0x377f_0682, word(4) == 3_007_000 else { return nil }
    let salts = (word(16), word(20))
    let length = 24 + Int(word(8))
    var frames: [Frame] = []
    for offset in stride(from: 32, through: log.count - length, by: length) {
      guard (word(offset + 8), word(offset + 12)) == salts else { break }
      frames.append(Frame(page: word(offset), sizeAfter: word(offset + 4)))
    }
    self.frames = frames
  }
}
