/// An answer (RFC 9112 §4): one that was received, or one to be sent.
package struct Response: Equatable, Sendable {
  package var status: StatusCode
  package var headers: HeaderFields
  package var body: [UInt8]

  package init(status: StatusCode, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A line of plain text, for people who look at an error.
  package init(status: StatusCode, text: String) {
    self.init(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array("\(text)\n".utf8))
  }
}
