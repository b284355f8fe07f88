internal import Glibc

extension Terminal {
  /// Asks a question on standard error, and reads the answer from standard input, which must be a terminal.
  /// - Returns: whether the answer begins with `y`. The end of input means no.
  package static func asksYes(_ question: String) throws(SystemError) -> Bool {
    draw(VisibleText.of(question) + " [y/N] ")
    var line: [UInt8] = []
    while line.count < 1024 {
      var byte: UInt8 = 0
      let count = try check("read", "standard input") { unsafe read(0, &byte, 1) }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return line.first { $0 != UInt8(ascii: " ") }.map { $0 | 0x20 } == UInt8(ascii: "y")
  }
}
