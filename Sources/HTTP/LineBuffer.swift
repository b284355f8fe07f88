/// Bytes that came in and were not used yet, out of which lines and runs of content are taken.
///
/// Each byte of a line is judged once and in its order, so it makes no difference how the bytes were cut on their way.
struct LineBuffer: Sendable {
  /// What stands at the front of the buffer.
  enum Line {
    /// The line has no end yet.
    case incomplete
    /// A whole line, without its CRLF.
    case line(ArraySlice<UInt8>)
    /// There is no end within the limit.
    case tooLong
    /// A byte that may not be in a line: a control byte, a bare CR or a bare LF (RFC 9112 §2.2, RFC 9110 §5.5).
    case malformed(String)
  }

  private var bytes: [UInt8] = []
  /// The first byte that was not used yet.
  private var start = 0
  /// How far the line at `start` was judged.
  private var judged = 0

  var isEmpty: Bool { start == bytes.count }

  mutating func append(_ more: some Collection<UInt8>) {
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      (start, judged) = (0, 0)
    } else if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      (start, judged) = (0, judged - start)
    }
    bytes.append(contentsOf: more)
  }

  mutating func removeAll() {
    bytes = []
    (start, judged) = (0, 0)
  }

  /// Takes the next line if it is whole.
  /// - Parameter limit: the most bytes that the line may have, its CRLF among them.
  mutating func nextLine(limit: Int) -> Line {
    while judged < bytes.count {
      if judged - start >= limit { return .tooLong }
      let byte = bytes[judged]
      let followsReturn = judged > start && bytes[judged - 1] == .carriageReturn
      if byte == .lineFeed {
        guard followsReturn else { return .malformed("a line feed without a carriage return") }
        let line = bytes[start..<(judged - 1)]
        judged += 1
        start = judged
        return .line(line)
      }
      if followsReturn { return .malformed("a carriage return without a line feed") }
      guard byte.isFieldContent || byte == .carriageReturn else { return .malformed("a control byte") }
      judged += 1
    }
    return .incomplete
  }

  /// Takes up to `count` bytes, whatever they are.
  mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let end = start + min(count, bytes.count - start)
    let taken = bytes[start..<end]
    start = end
    judged = end
    return taken
  }

  /// Whether there is a space in what was judged so far of the line at the front.
  var frontHoldsSpace: Bool { bytes[start..<judged].contains(.space) }
}
