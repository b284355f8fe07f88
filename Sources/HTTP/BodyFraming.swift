/// The line before a chunk: its size in hexadecimal digits, then extensions that mean nothing here (RFC 9112 §7.1).
struct ChunkSize {
  /// Bytes in the chunk; one too large for the machine comes out as the largest.
  let size: Int
  /// Bytes of extensions.
  let extensionLength: Int

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    let digits = line.prefix { $0.hexDigitValue != nil }
    guard !digits.isEmpty else { throw RequestRefusal(.badRequest, "a chunk without a size") }
    let rest = line[digits.endIndex...]
    if !rest.isEmpty {
      // chunk-ext = *( BWS ";" … ): whitespace alone behind the size is where recipients disagree.
      guard rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";") else {
        throw RequestRefusal(.badRequest, "the size of a chunk is malformed")
      }
    }
    size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    extensionLength = rest.count
  }
}

/// How the content of a request is delimited (RFC 9112 §6.3).
enum BodyFraming: Equatable {
  case none
  /// By `Content-Length`; a number too large for the machine comes out as the largest.
  case length(Int)
  case chunked

  /// Judges the framing fields. Every shape on which two recipients could disagree is refused (RFC 9112 §11.2).
  init(of headers: HeaderFields, version: HTTPVersion) throws(RequestRefusal) {
    let lengths = headers.all(.contentLength)
    let codings = headers.all(.transferEncoding)
    guard !codings.isEmpty else {
      self = try lengths.isEmpty ? .none : Self.length(lengths)
      return
    }
    guard version == .http11 else {
      throw RequestRefusal(.badRequest, "HTTP/1.0 has no transfer codings")  // §6.1
    }
    guard lengths.isEmpty else {
      throw RequestRefusal(.badRequest, "both a content length and a transfer coding")  // §6.1
    }
    let names = headers.members(.transferEncoding)
    guard names.allSatisfy({ $0.equalsIgnoringCase("chunked") }) else {
      throw RequestRefusal(.notImplemented, "chunked is the only transfer coding taken")  // §6.1
    }
    guard codings.count == 1, names.count == 1 else {
      throw RequestRefusal(.badRequest, "chunked must be applied once")  // §7.1
    }
    self = .chunked
  }

  /// One field of digits only: no sign, no list, not even of the same number (RFC 9110 §8.6 leaves that to us).
  private static func length(_ values: [String]) throws(RequestRefusal) -> BodyFraming {
    guard values.count == 1, let digits = values.first, !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
      throw RequestRefusal(.badRequest, "the content length must be one number")
    }
    let length = Int(digits) ?? .max
    return length == 0 ? .none : .length(length)
  }
}
