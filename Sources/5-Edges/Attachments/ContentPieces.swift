/// The content to send for a file: ranges of the file, and bytes that replace other parts of it.
///
/// The content can thus be sent without copying the file, and any part of it can be read again.
struct ContentPieces: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case range(Range<Int>)
    case bytes([UInt8])
    /// This many zeros.
    case zeros(Int)

    var count: Int {
      switch self {
      case .range(let range): range.count
      case .bytes(let bytes): bytes.count
      case .zeros(let count): count
      }
    }
  }

  /// The maximum number of pieces, which limits memory use to about 10 MB. A picture usually has fewer than ten. In a film, a new piece
  /// begins wherever an unsent track interrupts the others.
  private static let limit = 1 << 18

  private(set) var pieces: [Piece] = []
  private(set) var size = 0

  /// Appends a range of the file.
  /// - Throws: `.malformed` for too many pieces.
  mutating func append(_ range: Range<Int>) throws(ScanError) {
    guard !range.isEmpty else { return }
    size += range.count
    if case .range(let last) = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .range(last.lowerBound..<range.upperBound)
    } else {
      try append(piece: .range(range))
    }
  }

  /// Appends bytes that are not from the file.
  /// - Throws: `.malformed` for too many pieces.
  mutating func append(_ bytes: [UInt8]) throws(ScanError) {
    guard !bytes.isEmpty else { return }
    size += bytes.count
    try append(piece: .bytes(bytes))
  }

  /// Appends zeros.
  /// - Throws: `.malformed` for too many pieces.
  mutating func append(zeros count: Int) throws(ScanError) {
    guard count > 0 else { return }
    size += count
    try append(piece: .zeros(count))
  }

  mutating func append(_ more: ContentPieces) throws(ScanError) {
    for piece in more.pieces {
      switch piece {
      case .range(let range): try append(range)
      case .bytes(let bytes): try append(bytes)
      case .zeros(let count): try append(zeros: count)
      }
    }
  }

  private mutating func append(piece: Piece) throws(ScanError) {
    guard pieces.count < Self.limit else { throw .malformed("it has too much metadata") }
    pieces.append(piece)
  }
}
