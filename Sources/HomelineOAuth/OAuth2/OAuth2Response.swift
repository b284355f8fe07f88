/// Parses responses from the token endpoint and the device authorisation endpoint.
///
/// The status is ignored, because some servers send errors with status 200.
struct OAuth2ResponseReader {
  private let members: ResponseMembers
  private let status: Int

  /// Parses a response, which must contain a string named `essential`. Each of `names` may appear only once.
  ///
  /// - Throws: ``OAuth2ResponseError``.
  init(_ response: OAuth.Response, essential: String, names: [String]) throws(OAuth2ResponseError) {
    status = response.status ?? 0
    do throws(ResponseFormatError) {
      members = try ResponseMembers(response)
    } catch {
      throw .unreadable(status: status, error.message)
    }
    if let name = (names + ["error"]).first(where: members.duplicates.contains) {
      throw unreadable("a duplicate \(name)")
    }
    if let error = OAuth2EndpointError(members, in: response) { throw .refused(error) }
    guard members.text(essential) == nil || members.hasNonstandardError else { return }
    // The body may be an error in the provider's own format.
    throw unreadable(ResponseFormatError(describing: response, otherwise: "a response without \(essential)").message)
  }

  /// Returns the string with the given name; nil if it is missing or empty.
  func text(_ name: String) -> String? { members.text(name) }

  /// Returns a required string.
  func required(_ name: String) throws(OAuth2ResponseError) -> String {
    guard let text = members.text(name) else { throw unreadable("a response without \(name)") }
    return text
  }

  /// Returns a number of seconds; nil if there is none.
  func seconds(_ name: String) -> Int64? { members.seconds(name) }

  /// Returns a time in seconds since 1970; nil if there is none.
  func time(_ name: String) -> Int64? { members.time(name) }

  /// Returns all scalar values except those with the given names, as text.
  func scalars(besides names: [String]) -> [String: String] {
    members.values.filter { !names.contains($0.key) }.compactMapValues { value in
      switch value {
      case .text(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      case .texts, .numbers, .null, .other: nil
      }
    }
  }

  func unreadable(_ message: String) -> OAuth2ResponseError { .unreadable(status: status, message) }
}

/// An error in a response that should contain a token. No part of the response may be used.
public enum OAuth2ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The server sent an error in the standard format.
  case refused(OAuth2EndpointError)
  /// The response is not in a standard format. The values are its status (0 if unknown) and a description, such as `a web page`. The token
  /// in the request may still be valid.
  case unreadable(status: Int, String)

  /// The HTTP status; 0 if it is unknown.
  public var status: Int {
    switch self {
    case .refused(let error): error.status
    case .unreadable(let status, _): status
    }
  }

  /// Describes the error in a sentence, without secrets.
  public var description: String {
    switch self {
    case .refused(let error): "The provider rejected the request: \(error.message)."
    case .unreadable(let status, let message):
      "The provider sent \(status == 0 ? "" : "status \(status) and ")\(message) where a token response was expected"
        + (ResponseFormatError.advice(on: message, status: status).map { ". \($0)" } ?? "; try again later.")
    }
  }
}

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

  /// Whether the error concerns the redirect URI, because the application has registered a different one or none.
  public var isAboutRedirect: Bool {
    let text = ASCII.lowercased(message)
    return ["redirect_uri", "redirect uri", "redirect url", "callback"].contains { text.contains($0) }
  }
}

extension OAuth2EndpointError {
  /// Finds the error in a response. Returns nil if the response has no `error`, or if `error` is null.
  init?(_ members: ResponseMembers, in response: OAuth.Response) {
    guard let code = members.text("error") else { return nil }
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
