/// Formats text as a browser does: white space is collapsed, blocks are on separate lines, and quotations and list items are marked.
struct PlainTextWriter {
  private var bytes: [UInt8] = []
  /// The number of line breaks that must be written before the next text; none are written at the beginning or end.
  private var breaksDue = 0
  private var spaceIsDue = false
  /// The prefix of each line, such as `> `.
  private(set) var prefix = ""
  /// The prefix of the current line.
  private var linePrefix = ""
  /// The marker before the next text only, such as `- `.
  private var marker = ""
  /// The prefix of the lines that follow the marked one.
  private var prefixBehindMarker = ""

  /// The written text without trailing white space.
  var result: String {
    let end = bytes.lastIndex { !HTMLSpace.contains($0) }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Returns the position where the next text begins; pending breaks are written first.
  mutating func place() -> Int {
    settle()
    return bytes.count
  }

  /// Returns the text written after a position.
  func text(from start: Int) -> String { String(decoding: bytes[start...], as: UTF8.self) }

  /// Replaces the text written after a position.
  mutating func replace(from start: Int, by text: String) {
    bytes.removeSubrange(start...)
    breaksDue = 0
    bytes += Array(text.utf8)
  }

  /// Writes text with its white space collapsed.
  mutating func write(_ text: String) {
    for byte in text.utf8 {
      if HTMLSpace.contains(byte) {
        spaceIsDue = true
      } else {
        settle()
        bytes.append(byte)
      }
    }
  }

  /// Writes text with its white space unchanged.
  mutating func write(preformatted text: String) {
    for byte in text.utf8 where byte != 0x0d {
      if byte == 0x0a {
        lineBreak()
      } else {
        settle()
        bytes.append(byte)
      }
    }
  }

  /// Ends the line, even if it is empty. At most three consecutive lines are empty.
  mutating func lineBreak() {
    spaceIsDue = false
    if !bytes.isEmpty { breaksDue = min(breaksDue + 1, 4) }
  }

  /// Begins the next text on a new line, after at least this many line breaks.
  mutating func block(breaks: Int) {
    spaceIsDue = false
    if !bytes.isEmpty { breaksDue = max(breaksDue, breaks) }
  }

  /// Sets the prefix of the following lines.
  /// - Parameter marker: follows the prefix on the next line; later lines are indented by its width.
  mutating func begin(prefix: String, marker: String = "") {
    self.prefix = prefix
    self.marker = marker
    prefixBehindMarker = prefix + String(repeating: " ", count: marker.utf8.count)
  }

  private mutating func settle() {
    if breaksDue > 0 || bytes.isEmpty {
      // An empty line gets the common prefix of its two neighbours.
      let shared = String(decoding: zip(linePrefix.utf8, prefix.utf8).prefix { $0 == $1 }.map(\.0), as: UTF8.self)
      let blank = shared.utf8.last == 0x20 ? shared.utf8.dropLast() : shared.utf8[...]
      for index in 0..<breaksDue {
        bytes.append(0x0a)
        if index + 1 < breaksDue { bytes += Array(blank) }
      }
      bytes += Array(prefix.utf8)
      linePrefix = prefix
    } else if spaceIsDue {
      bytes.append(0x20)
    }
    if !marker.isEmpty {
      bytes += Array(marker.utf8)
      prefix = prefixBehindMarker
      linePrefix = prefix
      marker = ""
    }
    breaksDue = 0
    spaceIsDue = false
  }
}
