/// The error in a malformed or oversized request. The rest of the connection's input cannot be trusted, so the connection is closed after
/// the response.
package struct RequestError: Error, Equatable, Sendable {
  /// The response status: 400, 413, 414, 431, 501, 505 or 507.
  package let status: StatusCode
  /// A short description for the person who reads the response. It never repeats what the client sent.
  package let reason: String

  package init(_ status: StatusCode, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

extension RequestError: CustomStringConvertible {
  package var description: String { "\(status): \(reason)" }
}
