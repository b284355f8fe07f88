/// The parts of a file sent at their original offsets. Everything else becomes zeros, so that no offset in the file changes.
struct KeptParts {
  private var ranges: [Range<Int>] = []
  private var replacements: [(offset: Int, bytes: [UInt8])] = []

  /// The maximum number of ranges, which limits memory use.
  private static let limit = 1 << 20

  /// Keeps a range of the file.
  /// - Throws: `.malformed` for too many ranges.
  mutating func keep(_ range: Range<Int>) throws(ScanError) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      guard ranges.count < Self.limit else { throw .malformed("it has too many parts") }
      ranges.append(range)
    }
  }

  /// Sends bytes instead of those at an offset.
  /// - Throws: `.malformed` for too many replacements.
  mutating func replace(at offset: Int, with bytes: [UInt8]) throws(ScanError) {
    guard !bytes.isEmpty else { return }
    guard replacements.count < Self.limit else { throw .malformed("it has too many parts") }
    replacements.append((offset, bytes))
  }

  mutating func append(_ more: KeptParts) throws(ScanError) {
    for range in more.ranges { try keep(range) }
    for replacement in more.replacements { try replace(at: replacement.offset, with: replacement.bytes) }
  }

  /// Returns the content of a file of this size. A replacement takes precedence over a range that is kept.
  /// - Throws: `.malformed` for replacements that overlap, or for too many pieces.
  func content(size: Int) throws(ScanError) -> ContentPieces {
    var content = ContentPieces()
    var replacements = replacements.sorted { $0.offset < $1.offset }[...]
    /// Appends zeros, and the replacements that begin before an offset.
    func fill(to offset: Int) throws(ScanError) {
      while let next = replacements.first, next.offset < offset {
        replacements.removeFirst()
        try content.append(zeros: next.offset - content.size)
        try append(next)
      }
      try content.append(zeros: offset - content.size)
    }
    func append(_ replacement: (offset: Int, bytes: [UInt8])) throws(ScanError) {
      guard replacement.offset == content.size else { throw .malformed("its parts overlap") }
      try content.append(replacement.bytes)
      // Several tracks can share samples, so the same bytes can be replaced more than once.
      while let next = replacements.first, next == replacement { replacements.removeFirst() }
    }
    for range in merged() {
      try fill(to: range.lowerBound)
      while let next = replacements.first, next.offset < range.upperBound {
        replacements.removeFirst()
        if next.offset > content.size { try content.append(content.size..<next.offset) }
        try append(next)
      }
      if content.size < range.upperBound { try content.append(content.size..<range.upperBound) }
    }
    try fill(to: size)
    return content
  }

  /// Returns the ranges in order, with overlapping ranges merged: several samples of a film can share bytes.
  private func merged() -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
