/// How the end of an answer's content is marked when its length is not known as its head leaves.
package enum StreamFraming: Equatable, Sendable {
  /// In chunks, of which the last is empty (RFC 9112 §7.1).
  case chunked
  /// By the connection's end (RFC 9112 §6.3, rule 8): HTTP/1.0 knows no transfer coding.
  case untilClose
  /// There is no content: HEAD was asked, or the status has none (RFC 9110 §9.3.2, §6.4.1).
  case none

  package init(of response: Response, to request: Request) {
    if request.method == .head || response.status.excludesBody {
      self = .none
    } else {
      self = request.version == .http11 ? .chunked : .untilClose
    }
  }

  /// A piece of the content as it goes over the wire; empty for an empty one, since an empty chunk would be the end.
  package func framed(_ piece: [UInt8]) -> [UInt8] {
    switch self {
    case .none: []
    case .untilClose: piece
    case .chunked:
      piece.isEmpty ? [] : Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
  }

  /// What follows the last piece; without trailers.
  package var end: [UInt8] { self == .chunked ? Array("0\r\n\r\n".utf8) : [] }
}
