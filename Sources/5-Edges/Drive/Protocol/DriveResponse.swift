package import HomelineOAuth
internal import JSON

/// An API response: its status and its body.
package struct DriveResponse: Sendable {
  package let status: Int
  package let body: [UInt8]
  /// Removes secrets from quoted text.
  package let hiding: Redaction
  /// How long the server asks to wait before the next request (`Retry-After`); nil if it does not say.
  let pause: Duration?

  package init(status: Int, body: [UInt8], hiding: Redaction, pause: Duration? = nil) {
    self.status = status
    self.body = body
    self.hiding = hiding
    self.pause = pause
  }

  /// The failure that the response reports; nil if it reports none.
  package var failure: DriveError? {
    var failure = DriveError(OAuthResponse(self))
    failure?.pause = pause
    return failure
  }

  /// - Throws: ``DriveError`` if the response reports a failure, regardless of its status.
  package func check() throws(DriveError) {
    if let failure { throw failure }
  }

  /// Reads a response that is one object.
  /// - Parameters:
  ///   - expected: what error messages call the content, such as `a file`.
  ///   - read: reads the object; returns nil if the expected content is missing.
  func object<Value>(
    _ expected: String, _ read: (inout JSONCursor) throws -> Value?
  ) throws(DriveError) -> Value {
    try check()
    if let substitute = Substitute(OAuthResponse(self)) {
      // The API answers in JSON.
      throw DriveError(.unavailable, substitute.sentence(from: "the drive's server", status: status))
    }
    do {
      var cursor = JSONCursor(body)
      let value = try read(&cursor)
      try cursor.end()
      if let value { return value }
      throw DriveError(.unreadable, "the response from the drive's server is not \(expected)")
    } catch let failure as DriveError {
      throw failure
    } catch { throw DriveError(.unreadable, "the response from the drive's server is not \(expected): \(error)") }
  }
}

extension OAuthResponse {
  /// Creates the form in which responses are judged.
  init(_ response: DriveResponse) {
    self.init(status: response.status, body: response.body, hiding: response.hiding)
  }
}
