/// How much content one request may have, which a server can decide from the request's head (`RequestParser.Outcome.head`).
package struct ContentLimit: Equatable, Sendable {
  /// The maximum length in bytes. If it is 0, no content is read, and `Request.announcesBody` is true.
  package var total: Int
  /// The maximum length that the request itself holds. Longer content leaves the parser in pieces (`RequestParser.Outcome.content`).
  package var inRequest: Int

  package init(total: Int, inRequest: Int = .max) {
    self.total = total
    self.inRequest = inRequest
  }
}
