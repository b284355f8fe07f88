/// The first line of a request (RFC 9112 §3).
struct RequestLine {
  let method: RequestMethod
  let target: RequestTarget
  let version: HTTPVersion

  /// Reads a line without its CRLF: three words with one space between each, nothing more lenient.
  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let first = line.firstIndex(of: .space), let second = line.lastIndex(of: .space), first < second,
      !line[(first + 1)..<second].contains(.space)
    else { throw RequestRefusal(.badRequest, "the request line must be a method, a target and a version") }
    guard let method = RequestMethod(String(decoding: line[..<first], as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "the method is not a token")
    }
    version = try Self.version(line[(second + 1)...])
    let written = String(decoding: line[(first + 1)..<second], as: UTF8.self)
    guard let target = RequestTarget(written, of: method) else {
      throw RequestRefusal(.badRequest, "the request target is malformed")
    }
    self.method = method
    self.target = target
  }

  /// `HTTP/1.0` is itself, a higher minor version is spoken to as 1.1 (RFC 9110 §2.5).
  private static func version(_ word: ArraySlice<UInt8>) throws(RequestRefusal) -> HTTPVersion {
    let word = Array(word)
    guard word.count == 8, word.starts(with: "HTTP/".utf8), word[5].isDigit, word[6] == UInt8(ascii: "."),
      word[7].isDigit
    else { throw RequestRefusal(.badRequest, "the version of HTTP is malformed") }
    guard word[5] == UInt8(ascii: "1") else {
      throw RequestRefusal(.httpVersionNotSupported, "HTTP/1.1 is spoken here")
    }
    return word[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}
