/// A place in a text, as editors count: line and column from 1, columns in characters (UTF-8 sequences), not bytes.
package struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte offset.
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
