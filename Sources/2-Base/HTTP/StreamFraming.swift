/// How the end of a response's content is marked when its length is unknown (RFC 9112 §6.3).
package enum StreamFraming: Equatable, Sendable {
  /// The content is sent in chunks. The last chunk is empty (RFC 9112 §7.1).
  case chunked
  /// The end of the connection ends the content (RFC 9112 §6.3, rule 8). This is for HTTP/1.0, which has no transfer codings.
  case untilClose
  /// There is no content, because the method is HEAD or the status excludes content (RFC 9110 §9.3.2, §6.4.1).
  case none

  /// Returns a piece of the content as sent on the connection. An empty piece is encoded as no bytes, because an empty chunk would mark the
  /// end.
  package func framed(_ piece: [UInt8]) -> [UInt8] {
    switch self {
    case .none: []
    case .untilClose: piece
    case .chunked:
      piece.isEmpty ? [] : Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
  }

  /// The bytes after the last piece. No trailers are sent.
  package var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }
}
