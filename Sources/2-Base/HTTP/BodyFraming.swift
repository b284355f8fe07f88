/// How the end of a request's content is determined (RFC 9112 §6.3).
enum BodyFraming: Equatable {
  case none
  /// The content ends after this many bytes (`Content-Length`); `Int.max` if the number does not fit.
  case length(Int)
  case chunked

  /// Determines the framing from the header fields. Refuses anything that two recipients could interpret differently (RFC 9112 §11.2).
  init(of headers: HeaderFields, version: HTTPVersion) throws(RequestError) {
    let lengths = headers.all(.contentLength)
    let codings = headers.all(.transferEncoding)
    guard !codings.isEmpty else {
      self = try lengths.isEmpty ? .none : Self.length(lengths)
      return
    }
    guard version == .http11 else {
      throw RequestError(.badRequest, "HTTP/1.0 does not support transfer codings")  // §6.1
    }
    guard lengths.isEmpty else {
      throw RequestError(.badRequest, "the request has both Content-Length and Transfer-Encoding")  // §6.1
    }
    let names = headers.members(.transferEncoding)
    guard names.allSatisfy({ $0.equalsIgnoringCase("chunked") }) else {
      throw RequestError(.notImplemented, "the only supported transfer coding is chunked")  // §6.1
    }
    guard codings.count == 1, names.count == 1 else {
      throw RequestError(.badRequest, "the chunked transfer coding must be applied exactly once")  // §7.1
    }
    self = .chunked
  }

  /// Parses the value of a single `Content-Length` field, which must consist of digits only. A list is refused even if its numbers are
  /// equal (RFC 9110 §8.6 permits both).
  private static func length(_ values: [String]) throws(RequestError) -> BodyFraming {
    guard values.count == 1, let digits = values.first, !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
      throw RequestError(.badRequest, "Content-Length must be a single number")
    }
    let length = Int(digits) ?? .max
    return length == 0 ? .none : .length(length)
  }
}
