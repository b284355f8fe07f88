internal import Bytes
public import OAuthValues

/// An error from the token endpoint in the standard format (RFC 6749 §5.2).
///
/// Only an error in this format can mean that a code or a token is invalid; no other response can (``OAuth2ResponseError``).
public struct OAuth2EndpointError: Error, Sendable, Hashable {
  /// The HTTP status; 0 if it is unknown. The standard requires 400 or 401, but some servers send 200 or 403.
  public let status: Int
  /// The value of `error`, such as `invalid_grant`, on a single line without control characters.
  public let code: String
  /// The value of `error_description`, on a single line without control characters; nil if there is none.
  public let description: String?
  /// The provider's error number, sent as `error_code` by Weibo; nil if there is none.
  public let errorCode: Int?
  /// The provider's error numbers, sent as `error_codes` by Microsoft; empty if there are none.
  public let errorCodes: [Int]

  /// Creates an error and cleans its text.
  public init(
    status: Int, code: String, description: String? = nil, errorCode: Int? = nil, errorCodes: [Int] = [],
    hiding: OAuth.Redaction = .nothing
  ) {
    self.status = status
    self.code = ProviderText.cleaned(code.utf8, hiding: hiding)
    let description = ProviderText.cleaned((description ?? "").utf8, hiding: hiding)
    self.description = description.isEmpty ? nil : description
    self.errorCode = errorCode
    self.errorCodes = errorCodes
  }

  /// The code, the description and the number on a single line, such as `invalid_grant: The code is spent. (21325)`.
  public var message: String {
    [description.map { "\(code): \($0)" } ?? code, errorCode.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
  }

  /// Whether the error concerns the redirect URI: the application has registered a different one, or none.
  public var isAboutRedirect: Bool {
    let text = ASCII.lowercased(message)
    return ["redirect_uri", "redirect uri", "redirect url", "callback"].contains { text.contains($0) }
  }
}

extension OAuth2EndpointError {
  /// The codes of RFC 8628 §3.5, by the codes that some servers send instead.
  private static let standardCodes = ["authorization_declined": "access_denied", "code_expired": "expired_token"]

  /// Finds the error in a response. Returns nil if the response has no `error`, or if `error` is null.
  init?(_ members: ResponseMembers, in response: OAuth.Response) {
    guard let sent = members.text("error") else { return nil }
    let code = Self.standardCodes[sent] ?? sent
    let number: Int? =
      switch members["error_code"] {
      case .text(let text)?, .number(let text)?: Int(text)
      default: nil
      }
    var numbers: [Int] = []
    if case .numbers(let texts)? = members["error_codes"] { numbers = texts.compactMap { Int($0) } }
    self.init(
      status: response.status ?? 0, code: code, description: members.text("error_description"), errorCode: number,
      errorCodes: numbers, hiding: response.hiding)
  }
}
