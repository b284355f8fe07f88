internal import Glibc

extension Terminal {
  /// Asks a question on standard error, and reads the answer from standard input, which must be a terminal.
  /// - Returns: whether the answer begins with `y`. The end of input means no.
  package static func asksYes(_ question: String) throws(SystemError) -> Bool {
    let line = try ask("\(question) [y/N] ") ?? ""
    return line.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "y")
  }

  /// Shows a prompt on standard error, and reads a line from standard input, which must be a terminal.
  /// - Returns: the line without surrounding spaces; nil at the end of input.
  package static func ask(_ prompt: String) throws(SystemError) -> String? {
    write(toStandardError: prompt)
    var line: [UInt8] = []
    while line.count < 1024 {
      var byte: UInt8 = 0
      let count = try check("read", "standard input") { unsafe read(0, &byte, 1) }
      if count == 0, line.isEmpty { return nil }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    let text = line.drop { $0 == UInt8(ascii: " ") }
    let end = text.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self)
  }
}
