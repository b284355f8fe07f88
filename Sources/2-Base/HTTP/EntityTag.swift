/// Identifies the bytes of a resource, so that a client need not receive them twice (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
  /// The value of the `ETag` field.
  package let field: FieldValue

  /// Creates a strong tag: resources with the same tag have the same bytes.
  /// - Parameter opaque: for example a digest.
  /// - Returns: nil if a character is not allowed: a control character, a space or a double quote.
  package init?(_ opaque: String) {
    guard opaque.allBytes(\.isEntityTagCharacter), let field = FieldValue("\"\(opaque)\"") else { return nil }
    self.field = field
  }

  /// Returns whether a GET or HEAD request's `If-None-Match` contains this tag, so that the response is 304 (RFC 9110 §13.1.2). A malformed
  /// field contains no tag.
  package func isKnown(to request: Request) -> Bool {
    guard request.method == .get || request.method == .head else { return false }
    let values = request.headers.all(.ifNoneMatch)
    if values.contains("*") { return true }
    return values.contains { Self.members(of: Array($0.utf8)).contains(Array(field.text.utf8)) }
  }

  /// Returns the tags of a list in their strong form, because `If-None-Match` compares weakly. A quoted tag can contain a comma.
  private static func members(of list: [UInt8]) -> [[UInt8]] {
    var tags: [[UInt8]] = []
    var rest = list[...]
    while true {
      while let byte = rest.first, byte.isBlank || byte == UInt8(ascii: ",") { rest.removeFirst() }
      if rest.isEmpty { return tags }
      if rest.starts(with: "W/".utf8) { rest.removeFirst(2) }
      guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else { return [] }
      tags.append(Array(rest[...end]))
      rest = rest[(end + 1)...]
      while rest.first?.isBlank == true { rest.removeFirst() }
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return [] }
    }
  }

  private static let quote = UInt8(ascii: "\"")
}

extension Response {
  /// Adds the tag; if the request's client already has the bytes, returns 304 instead, with the other header fields and without content.
  package func tagged(_ tag: EntityTag, for request: Request) -> Response {
    var response = self
    response.headers.set(.entityTag, tag.field)
    guard status == .ok, tag.isKnown(to: request) else { return response }
    response.status = .notModified
    response.headers.remove(.contentType)
    response.body = []
    return response
  }
}

extension UInt8 {
  /// `etagc` (RFC 9110 §8.8.3).
  fileprivate var isEntityTagCharacter: Bool { isVisible && self != UInt8(ascii: "\"") || self >= 0x80 }
}
