/// The first line of an answer (RFC 9112 §4).
struct StatusLine {
  let version: HTTPVersion
  let status: StatusCode

  /// Reads a line without its CRLF: the version, the code, and a reason that means nothing but whose space must be there.
  init(_ line: ArraySlice<UInt8>) throws(ResponseFault) {
    let words = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
    guard words.count == 3 else { throw ResponseFault("the status line must be a version, a code and a reason") }
    let (version, code) = (words[0], words[1])
    guard version.count == 8, version.starts(with: "HTTP/1.".utf8), version[7].isDigit else {
      throw ResponseFault("the version of HTTP is not one of HTTP/1")
    }
    guard code.count == 3, code.allSatisfy(\.isDigit), let number = Int(String(decoding: code, as: UTF8.self)),
      (100...599).contains(number)
    else { throw ResponseFault("the status is not one of the classes 1 to 5") }
    self.version = version[7] == UInt8(ascii: "0") ? .http10 : .http11
    status = StatusCode(number)
  }
}
