/// A position in the text, as editors count it. Lines and columns start at 1, and columns are counted in characters (UTF-8 sequences), not
/// bytes.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Computes the position of a byte offset.
  init(of offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xc0 != 0x80 {  // Not a continuation byte.
        column += 1
      }
    }
    self.init(line: line, column: column)
  }

  package var description: String { "line \(line), column \(column)" }
}
