public import OAuthValues

extension OAuth {
  /// A provider's error response in any format. RFC 5849 defines no format.
  ///
  /// An error is recognised by the body rather than by the status, because some servers send errors with status 200.
  public struct ProviderError: Error, Sendable, Hashable {
    /// What ``message`` contains.
    public enum Content: Sendable, Hashable {
      /// The provider's message.
      case message
      /// The response was an HTML page; the message says this.
      case page
      /// The response was a redirect; the message says this. APIs do not redirect, but networks that require a login do.
      case redirect
      /// The response had an error status and no message. The message gives the status.
      case status
    }

    /// The provider's message on a single line: at most 300 characters, without control characters or secrets. If ``content`` is not
    /// `.message`, this is a description of the response.
    public let message: String
    /// What the message contains.
    public let content: Content
    /// The provider's error number, such as 89.
    public let code: Int?
    /// The value of `oauth_problem`, such as `token_rejected` (OAuth Problem Reporting extension).
    public let problem: String?
    /// The `reason` of a problem document, otherwise the last part of its `type` (RFC 9457), such as `usage-capped`.
    public let type: String?
    /// The HTTP status.
    public let status: Int?
    /// The server's time in seconds since 1970, if the message contains it. Pass it to ``OAuth/ClockOffset``.
    public let serverTime: Int64?

    /// Finds the error in a response. Returns nil if the response is not an error.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - expecting: the expected content, such as `a token response`. The message mentions it if the response is a page or a redirect.
    public init?(_ response: Response, expecting: String) {
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
      case .error(let error), .plain(let error):
        self.init(error, in: response)
      case .page:
        let status = response.status.map { $0 >= 400 ? " (status \($0))" : "" } ?? ""
        self.init("an HTML page\(status) where \(expecting) was expected", .page, response.status)
      case .nothing:
        guard let status = response.status, (400..<600).contains(status) else { return nil }
        self.init("status \(status) without a message", .status, status)
      }
    }

    private init(_ error: ErrorText, in response: Response) {
      message = ProviderText.cleaned(error.text.utf8, hiding: response.hiding)
      content = .message
      code = error.code
      problem = error.problem.map { ProviderText.cleaned($0.utf8, hiding: response.hiding) }
      type = error.type.map { ProviderText.cleaned($0.utf8, hiding: response.hiding) }
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

    /// Returns whether a status redirects the client. Status 304 does not.
    static func isRedirect(_ status: Int) -> Bool { (300..<400).contains(status) && status != 304 }

    /// Advice on a response that may not come from the provider.
    package static let networkAdvice =
      "The response may come from a Wi-Fi login page or a proxy; open a browser to check."
  }
}

extension OAuth.ProviderError: CustomStringConvertible {
  /// The provider's message with its number and, for a server error, the status; or a description of the response.
  public var description: String {
    guard content == .message else { return "The provider sent \(message)." }
    let numbers = [
      code.map { "code \($0)" }, status.flatMap { $0 >= 500 ? "status \($0)" : nil },
    ].compactMap(\.self).joined(separator: ", ")
    return "The provider says: “\(message)”\(numbers.isEmpty ? "" : " (\(numbers))")."
  }
}
