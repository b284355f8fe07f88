/// Puts texts together as a browser lays them out: white space collapsed, blocks on lines of their own, quotations and items of
/// lists marked.
struct PlainTextWriter {
  private var bytes: [UInt8] = []
  /// How many line breaks are due before the next text; none are written at the beginning and the end.
  private var breaksDue = 0
  private var spaceIsDue = false
  /// What stands in front of each line, such as `> `.
  private(set) var prefix = ""
  /// What stood in front of the line that is being written.
  private var linePrefix = ""
  /// What stands in front of the next text only, such as `- `.
  private var marker = ""
  /// What stands in front of the lines behind the marked one.
  private var prefixBehindMarker = ""

  /// What was written, without white space at its end.
  var result: String {
    let end = bytes.lastIndex { !HTMLSpace.contains($0) }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Where the next text will begin; what is due before it is written.
  mutating func place() -> Int {
    settle()
    return bytes.count
  }

  /// What was written from there on.
  func text(from start: Int) -> String { String(decoding: bytes[start...], as: UTF8.self) }

  /// Puts a text in place of what was written from there on.
  mutating func replace(from start: Int, by text: String) {
    bytes.removeSubrange(start...)
    breaksDue = 0
    bytes += Array(text.utf8)
  }

  /// Writes a text, its white space collapsed.
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

  /// Writes a text with its white space as it is.
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

  /// Ends the line, also an empty one. Three empty lines are as good as a thousand.
  mutating func lineBreak() {
    spaceIsDue = false
    if !bytes.isEmpty { breaksDue = min(breaksDue + 1, 4) }
  }

  /// Lets the next text begin on a new line, with so many breaks in front of it at least.
  mutating func block(breaks: Int) {
    spaceIsDue = false
    if !bytes.isEmpty { breaksDue = max(breaksDue, breaks) }
  }

  /// Sets what stands in front of the lines from the next one on.
  /// - Parameter marker: what stands behind the prefix on the next line, with blanks of its width on the following ones.
  mutating func begin(prefix: String, marker: String = "") {
    self.prefix = prefix
    self.marker = marker
    prefixBehindMarker = prefix + String(repeating: " ", count: marker.utf8.count)
  }

  private mutating func settle() {
    if breaksDue > 0 || bytes.isEmpty {
      // An empty line belongs to what both its neighbours belong to.
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
