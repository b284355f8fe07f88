/// The parameters with which the authorisation server redirects the user's browser back to the application (RFC 6749 §4.1.2).
///
/// Before using the parameters, check that the state belongs to the login (``equalInConstantTime(_:_:)-(String,_)``), and then check the
/// issuer with ``IssuerRule``. Do this for denials too.
public enum AuthorizationResponse: Sendable, Hashable {
  /// Access was granted. The code can be exchanged once.
  case granted(state: String, code: OAuth.Secret, issuer: String?)
  /// Access was denied.
  case refused(state: String, AuthorizationRefusal, issuer: String?)
  /// A denial without a state. Some servers send it, but so can any web page.
  case refusedWithoutState(AuthorizationRefusal, issuer: String?)
  /// The response neither grants nor denies access.
  case invalid(AuthorizationResponseError)

  /// The parameters that this type reads. Each may appear only once. Any others are ignored (§4.1.2).
  public static let names = ["code", "state", "iss", "error", "error_description"]

  /// Parses the query of the redirect as received; nil means no query.
  public init(query: String?) {
    self.init(query: Array((query ?? "").utf8))
  }

  /// Parses the query of the redirect as bytes.
  public init(query: [UInt8]) {
    do throws(OAuth.FormError) {
      self.init(try OAuth.FormEncoding.decode(query, limits: OAuth.Callback.limits))
    } catch {
      self = .invalid(.unreadable(error))
    }
  }

  /// The state; nil if there is none. Compare it with the login's state (``equalInConstantTime(_:_:)-(String,_)``).
  public var state: String? {
    switch self {
    case .granted(let state, _, _), .refused(let state, _, _): state
    case .refusedWithoutState, .invalid: nil
    }
  }

  private init(_ parameters: [OAuth.Parameter]) {
    for name in Self.names where parameters.count(where: { $0.isNamed(name) }) > 1 {
      self = .invalid(.duplicateParameter(name))
      return
    }
    // A parameter without a value is treated as missing (§3.1).
    func value(_ name: String) -> [UInt8]? {
      parameters.first { $0.isNamed(name) }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    // No server sends a code together with an error, not even with an empty error.
    if value("code") != nil, parameters.contains(where: { $0.isNamed("error") }) {
      self = .invalid(.codeAndError)
      return
    }
    do throws(AuthorizationResponseError) {
      self = try Self.interpret(
        code: value("code"),
        refusal: value("error").map { AuthorizationRefusal(code: $0, description: value("error_description")) },
        state: Self.text(value("state"), "state"),
        // An empty issuer is treated as present, and does not match the expected issuer.
        issuer: Self.text(parameters.first { $0.isNamed("iss") }?.value, "iss"))
    } catch {
      self = .invalid(error)
    }
  }

  private static func interpret(
    code: [UInt8]?, refusal: AuthorizationRefusal?, state: String?, issuer: String?
  ) throws(AuthorizationResponseError) -> AuthorizationResponse {
    switch (refusal, code, state) {
    case (let refusal?, _, let state?): return .refused(state: state, refusal, issuer: issuer)
    case (let refusal?, _, nil): return .refusedWithoutState(refusal, issuer: issuer)
    case (nil, let code?, let state?): return .granted(state: state, code: OAuth.Secret(bytes: code), issuer: issuer)
    case (nil, nil, _): throw .missingCode
    case (nil, _, nil): throw .missingState
    }
  }

  private static func text(_ bytes: [UInt8]?, _ name: String) throws(AuthorizationResponseError) -> String? {
    guard let bytes else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(name) }
    return text
  }
}

/// The error with which access was denied (RFC 6749 §4.1.2.1).
///
/// Any web page can redirect a browser to the callback with such text, so present it as untrusted. The only safe conclusion is that the
/// login with this state has ended.
public struct AuthorizationRefusal: Sendable, Hashable {
  /// The value of `error`, such as `access_denied`, on a single line without control characters; empty if the server sent none.
  public let code: String
  /// The value of `error_description`, on a single line without control characters; nil if there is none.
  public let description: String?

  /// Creates a denial and cleans its text.
  public init(code: String, description: String?) {
    self.init(code: Array(code.utf8), description: description.map { Array($0.utf8) })
  }

  init(code: [UInt8], description: [UInt8]?) {
    // The secrets are not known here. The caller must hide those of the login that the state belongs to.
    self.code = ProviderText.cleaned(code, hiding: .nothing)
    let description = ProviderText.cleaned(description ?? [], hiding: .nothing)
    self.description = description.isEmpty ? nil : description
  }

  /// The code and the description on a single line, with at most 300 characters each.
  public var message: String {
    let code = code.isEmpty ? "an unnamed error" : code
    return description.map { "\(code): \($0)" } ?? code
  }
}

/// An error in a redirect's query. The login should continue waiting, because anyone can send such a request.
public enum AuthorizationResponseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is neither a code nor an error.
  case missingCode
  /// There is a code but no state.
  case missingState
  /// There are both a code and an error, although a server sends only one of them (§4.1.2, §4.1.2.1).
  case codeAndError
  /// A protocol parameter appears more than once (RFC 6749 §3.1).
  case duplicateParameter(String)
  /// A parameter is not valid UTF-8.
  case notText(String)
  /// The query is not valid form data.
  case unreadable(OAuth.FormError)

  /// Describes the error in a sentence, without quoting values from the query.
  public var description: String {
    switch self {
    case .missingCode: "The redirect has no code."
    case .missingState: "The redirect has no state."
    case .codeAndError: "The redirect has both a code and an error."
    case .duplicateParameter(let name): "The redirect contains \(name) more than once."
    case .notText(let name): "The redirect has a \(name) that is not valid UTF-8."
    case .unreadable(let error): "The redirect has a malformed query. \(error)"
    }
  }
}

/// Checks that a redirect comes from the server that the user was sent to, so that one server's code is not sent to another (RFC 9207
/// §2.4).
public struct IssuerRule: Sendable, Hashable {
  /// The server's issuer identifier; nil if it is unknown. If one segment of its path is `{tenantid}`, it matches the issuers of all
  /// tenants.
  public let expected: String?
  /// Whether the server has announced that its redirects contain `iss`.
  public let isPromised: Bool

  /// Creates a rule.
  ///
  /// Without an expected issuer, any received issuer is accepted, and the only possible error is that an announced issuer is missing.
  public init(expected: String?, isPromised: Bool) {
    self.expected = expected
    self.isPromised = isPromised
  }

  /// Returns a sentence about the problem with a redirect's `iss`; nil if it is acceptable.
  ///
  /// Issuers are compared byte by byte (RFC 3986 §6.2.1), without normalising slashes, letter case or ports.
  public func objection(to received: String?) -> String? {
    guard let received else {
      return isPromised
        ? "The redirect does not contain the issuer that the server announces; start the login again."
        : nil
    }
    guard let expected, !expected.utf8.elementsEqual(received.utf8),
      !IssuerTemplate.matches(expected, issuer: received)
    else { return nil }
    // No secrets are known here. The caller must hide the secrets of the login.
    return
      "The redirect comes from “\(ProviderText.cleaned(received.utf8, hiding: .nothing))”, but the user was sent to "
      + "“\(ProviderText.cleaned(expected.utf8, hiding: .nothing))”; its code is not used."
  }
}

/// The text that the user pastes if the redirect cannot reach this machine: the URL from the browser, its query, or just the code.
public enum PastedAuthorization: Sendable, Hashable {
  /// A URL or a query, or `CODE&state=STATE` as displayed by snac.
  case response(AuthorizationResponse)
  /// A code, which belongs to the only pending login.
  case code(OAuth.Secret)
  /// The text is neither a URL nor a query nor a code.
  case unrecognized

  /// The maximum length of a code in bytes.
  public static let codeLimit = 4_096

  /// Parses the text. Surrounding whitespace, quotes and angle brackets are ignored.
  public init(_ line: String) {
    let pasted = PastedRedirect.unwrapped(Array(line.utf8))
    let beforeFragment = pasted.prefix { $0 != UInt8(ascii: "#") }
    if let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) {
      self = .response(AuthorizationResponse(query: Array(beforeFragment[(mark + 1)...])))
    } else if let response = Self.codeAndState(pasted) {
      self = .response(response)
    } else if Self.isQuery(beforeFragment) {
      self = .response(AuthorizationResponse(query: Array(beforeFragment)))
    } else if Self.isCode(pasted) {
      self = .code(OAuth.Secret(bytes: Array(pasted)))
    } else {
      self = .unrecognized
    }
  }

  /// Parses `CODE&state=STATE`. The code and the state are not decoded, because the page shows them unencoded.
  private static func codeAndState(_ bytes: ArraySlice<UInt8>) -> AuthorizationResponse? {
    let parts = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard parts.count == 2, isCode(parts[0]), !isQuery(parts[0]), parts[1].starts(with: "state=".utf8) else {
      return nil
    }
    let state = parts[1].dropFirst(6)
    guard isCode(state) else { return nil }
    return .granted(
      state: String(decoding: state, as: UTF8.self), code: OAuth.Secret(bytes: Array(parts[0])), issuer: nil)
  }

  /// Returns whether the text contains one of the redirect's parameters. A code may also contain `=`.
  private static func isQuery(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "&")).contains { segment in
      AuthorizationResponse.names.contains { segment.starts(with: "\($0)=".utf8) }
    }
  }

  private static func isCode(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= codeLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
    return !String(decoding: bytes, as: UTF8.self).contains("://")
  }
}
