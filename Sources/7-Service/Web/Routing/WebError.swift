package import HTTP

/// A request that cannot be answered with its page. The browser gets an error page with a way back.
package struct WebError: Error, Sendable, Hashable {
  package var status: StatusCode
  /// The heading: what happened, without a full stop.
  package var title: String
  /// What to do about it, in sentences.
  package var advice: [String]
  /// Where the link at the end of the page leads, and its text.
  package var way: Way
  /// Whether the request contained a secret that is not valid, such as a ticket. Such requests are limited.
  var isGuess = false

  package struct Way: Sendable, Hashable {
    package var address: WebAddress
    package var text: String

    package init(_ address: WebAddress, _ text: String) {
      self.address = address
      self.text = text
    }

    package static let home = Way(.home, "All accounts and views")
  }

  package init(_ status: StatusCode, _ title: String, _ advice: String..., way: Way = .home) {
    self.status = status
    self.title = title
    self.advice = advice
    self.way = way
  }

  /// The page does not exist.
  package static let notFound = WebError(
    .notFound, "This page does not exist", "The address may be mistyped, or what it showed is gone.")

  /// The error for an address that does not mean anything.
  static func badAddress(_ reason: String) -> WebError {
    WebError(.badRequest, "This address does not mean anything", reason)
  }

  /// Returns the error for a request with a secret that is not valid.
  static func guess(_ status: StatusCode, _ title: String, _ advice: String) -> WebError {
    var error = WebError(status, title, advice)
    error.isGuess = true
    return error
  }
}
