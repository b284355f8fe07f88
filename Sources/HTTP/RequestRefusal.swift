/// Why bytes are not taken as a request. Nothing after them on the connection can be trusted, so it ends with
/// the answer.
package struct RequestRefusal: Error, Equatable, Sendable {
  /// 400, 413, 414, 431, 501 or 505.
  package let status: StatusCode
  /// A few words for the person who looks at the answer; nothing in it came from the client.
  package let reason: String

  package init(_ status: StatusCode, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

extension RequestRefusal: CustomStringConvertible {
  package var description: String { "\(status): \(reason)" }
}
