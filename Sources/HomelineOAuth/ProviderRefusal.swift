/// A provider's error response, of whatever shape (RFC 5849 defines none).
///
/// It is found by the body and not by the status: an error can come with 200.
public struct ProviderRefusal: Error, Sendable, Hashable {
  /// Where ``message`` comes from.
  public enum Content: Sendable, Hashable {
    /// The provider's message.
    case message
    /// An HTML page came instead of a response; the message names it.
    case page
    /// A redirect came instead of a response; the message names it. APIs do not redirect, but networks that want a login first do.
    case redirect
    /// There is only an error status; the message names it.
    case status
  }

  /// The provider's message on one line: at most 300 characters, without control characters and without the secrets that the response
  /// hides. For any other ``content``, what came instead of what was expected.
  public let message: String
  /// Where the message comes from.
  public let content: Content
  /// The provider's number for the error, such as 89.
  public let code: Int?
  /// The value of `oauth_problem`, such as `token_rejected` (OAuth Problem Reporting extension).
  public let problem: String?
  /// The `reason` of a problem document, else the last part of its `type` (RFC 9457), such as `usage-capped`.
  public let type: String?
  /// The HTTP status.
  public let status: Int?
  /// The server's time in seconds since 1970, if the message tells it; give it to ``OAuth/ClockOffset``.
  public let serverTime: Int64?

  /// Finds the error in a response; nil when there is none: data without an error, under a status that is no error.
  ///
  /// `expecting` names what should have come instead, such as `a token response`; it is used when a page came.
  public init?(_ response: OAuth.Response, expecting: String) {
    if let status = response.status, Self.isRedirect(status) {
      self.init("a redirect (status \(status)) where \(expecting) was expected", .redirect, status)
      return
    }
    let body = ErrorText.read(response.body)
    if let challenge = response.challenges.lazy.compactMap({ ErrorText(challenge: $0) }).first {
      self.init(challenge, in: response)
      return
    }
    switch body {
    case .words(let words), .plain(let words):
      self.init(words, in: response)
    case .page:
      let status = response.status.map { $0 >= 400 ? " (status \($0))" : "" } ?? ""
      self.init("an HTML page\(status) where \(expecting) was expected", .page, response.status)
    case .nothing:
      guard let status = response.status, (400..<600).contains(status) else { return nil }
      self.init("status \(status) without a word", .status, status)
    }
  }

  private init(_ words: ErrorText, in response: OAuth.Response) {
    message = ProviderText.cleaned(words.text.utf8, hiding: response.hiding)
    content = .message
    code = words.code
    problem = words.problem.map { ProviderText.cleaned($0.utf8, hiding: response.hiding) }
    type = words.type.map { ProviderText.cleaned($0.utf8, hiding: response.hiding) }
    status = response.status
    serverTime = ServerTime.find(in: message)
  }

  private init(_ message: String, _ content: Content, _ status: Int?) {
    self.message = message
    self.content = content
    self.status = status
    code = nil
    problem = nil
    type = nil
    serverTime = nil
  }

  /// Whether a status redirects the client. 304 means that nothing has changed.
  static func isRedirect(_ status: Int) -> Bool { (300..<400).contains(status) && status != 304 }

  /// What to do when something between this machine and the provider answers.
  package static let networkAdvice =
    "Something between here and the provider answers, such as a Wi-Fi login page; open a browser and look."
}

extension ProviderRefusal: CustomStringConvertible {
  /// The provider's message with its number, and the status where the server itself is in trouble; or what came instead.
  public var description: String {
    guard content == .message else { return "The provider sent \(message)." }
    let numbers = [
      code.map { "code \($0)" }, status.flatMap { $0 >= 500 ? "status \($0)" : nil },
    ].compactMap(\.self).joined(separator: ", ")
    return "The provider says: “\(message)”\(numbers.isEmpty ? "" : " (\(numbers))")."
  }
}
