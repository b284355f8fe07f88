/// What the user's browser brings back from the authorisation server (RFC 6749 §4.1.2).
///
/// Before any of it is believed, the state has to be the one of the attempt (``equalInConstantTime(_:_:)-(String,_)``), and
/// then the issuer has to pass the ``IssuerRule``, for a refusal too.
public enum AuthorizationResponse: Sendable, Hashable {
  /// Access is granted: exchange the code, once.
  case granted(state: String, code: OAuth.Secret, issuer: String?)
  /// Access is refused.
  case refused(state: String, AuthorizationRefusal, issuer: String?)
  /// A refusal that names no attempt, as some servers send it: any page on the web could have.
  case refusedWithoutState(AuthorizationRefusal, issuer: String?)
  /// Neither.
  case unusable(AuthorizationResponseProblem)

  /// The names that mean something here. Each may come once; whatever else the query has is ignored (§4.1.2).
  public static let names = ["code", "state", "iss", "error", "error_description"]

  /// Reads the query of the redirect as it came over the wire, nil for none.
  public init(query: String?) {
    self.init(query: Array((query ?? "").utf8))
  }

  /// The same over bytes.
  public init(query: [UInt8]) {
    do throws(OAuth.FormError) {
      self.init(try OAuth.FormEncoding.decode(query, limits: OAuth.Callback.limits))
    } catch {
      self = .unusable(.unreadable(error))
    }
  }

  /// The state that it names, nil for none. Compare it with that of the attempt (``equalInConstantTime(_:_:)-(String,_)``).
  public var state: String? {
    switch self {
    case .granted(let state, _, _), .refused(let state, _, _): state
    case .refusedWithoutState, .unusable: nil
    }
  }

  private init(_ parameters: [OAuth.Parameter]) {
    for name in Self.names where parameters.count(where: { $0.isNamed(name) }) > 1 {
      self = .unusable(.doubledParameter(name))
      return
    }
    // A parameter without a value is to be treated as one that was left out (§3.1).
    func value(_ name: String) -> [UInt8]? {
      parameters.first { $0.isNamed(name) }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    // An empty error beside a code is nothing that a server sends, either.
    if value("code") != nil, parameters.contains(where: { $0.isNamed("error") }) {
      self = .unusable(.codeAndError)
      return
    }
    do throws(AuthorizationResponseProblem) {
      self = try Self.judged(
        code: value("code"),
        refusal: value("error").map { AuthorizationRefusal(code: $0, description: value("error_description")) },
        state: Self.text(value("state"), "state"),
        // An empty issuer is one that is told, and a wrong one.
        issuer: Self.text(parameters.first { $0.isNamed("iss") }?.value, "iss"))
    } catch {
      self = .unusable(error)
    }
  }

  private static func judged(
    code: [UInt8]?, refusal: AuthorizationRefusal?, state: String?, issuer: String?
  ) throws(AuthorizationResponseProblem) -> AuthorizationResponse {
    switch (refusal, code, state) {
    case (let refusal?, _, let state?): return .refused(state: state, refusal, issuer: issuer)
    case (let refusal?, _, nil): return .refusedWithoutState(refusal, issuer: issuer)
    case (nil, let code?, let state?): return .granted(state: state, code: OAuth.Secret(bytes: code), issuer: issuer)
    case (nil, nil, _): throw .missingCode
    case (nil, _, nil): throw .missingState
    }
  }

  private static func text(_ bytes: [UInt8]?, _ name: String) throws(AuthorizationResponseProblem) -> String? {
    guard let bytes else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(name) }
    return text
  }
}

/// Why the user or the server did not grant access (RFC 6749 §4.1.2.1).
///
/// Any page on the web can send a browser here with such words: they are shown as foreign, and nothing follows from them
/// beyond the end of the attempt that they name.
public struct AuthorizationRefusal: Sendable, Hashable {
  /// `error`, such as `access_denied`; one line without control characters, empty when the server gave none.
  public let code: String
  /// `error_description`, likewise; nil without one.
  public let description: String?

  /// Takes the words as they came, and cleans them.
  public init(code: String, description: String?) {
    self.init(code: Array(code.utf8), description: description.map { Array($0.utf8) })
  }

  init(code: [UInt8], description: [UInt8]?) {
    // The login that it names, or may mean, hides its secrets itself.
    self.code = ProviderText.cleaned(code, hiding: .nothing)
    let words = ProviderText.cleaned(description ?? [], hiding: .nothing)
    self.description = words.isEmpty ? nil : words
  }

  /// Both in a line: at most 300 characters of each.
  public var words: String {
    let code = code.isEmpty ? "an error without a name" : code
    return description.map { "\(code): \($0)" } ?? code
  }
}

/// Why a redirect's query is neither a grant nor a refusal. The login goes on waiting.
public enum AuthorizationResponseProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has no code, and no error either.
  case missingCode
  /// It has a code that belongs to no attempt.
  case missingState
  /// It grants and refuses at once: a server sends the one or the other (§4.1.2, §4.1.2.1).
  case codeAndError
  /// One of the protocol's parameters comes twice (RFC 6749 §3.1).
  case doubledParameter(String)
  /// The bytes of a parameter are not UTF-8.
  case notText(String)
  /// It cannot be read at all.
  case unreadable(OAuth.FormError)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .missingCode: "The redirect has no code."
    case .missingState: "The redirect has no state."
    case .codeAndError: "The redirect has a code and an error at once."
    case .doubledParameter(let name): "The redirect has \(name) twice."
    case .notText(let name): "The redirect has bytes in \(name) that are not UTF-8."
    case .unreadable(let error): "The redirect cannot be read. \(error)"
    }
  }
}

/// Whether a redirect comes from the server that the user was sent to, so that a code of one is not given to another
/// (RFC 9207 §2.4).
public struct IssuerRule: Sendable, Hashable {
  /// The server's name for itself; nil when it is not known.
  public let expected: String?
  /// Whether the server has said that it names itself.
  public let isPromised: Bool

  /// Sets the rule.
  ///
  /// Without an expected issuer there is nothing to compare with: whatever is told is accepted, and only one that was
  /// promised and is missing is objected to.
  public init(expected: String?, isPromised: Bool) {
    self.expected = expected
    self.isPromised = isPromised
  }

  /// What is wrong with the `iss` of a redirect, as a sentence; nil when nothing is.
  ///
  /// Both are compared byte by byte (RFC 3986 §6.2.1): no slash, letter case or port is made equal.
  public func objection(to received: String?) -> String? {
    guard let received else {
      return isPromised
        ? "The redirect does not say which server it comes from, though the server promises that; start the login again."
        : nil
    }
    guard let expected, !expected.utf8.elementsEqual(received.utf8) else { return nil }
    // The login that it answers hides its secrets itself.
    return "The redirect comes from “\(ProviderText.cleaned(received.utf8, hiding: .nothing))” and not from "
      + "“\(ProviderText.cleaned(expected.utf8, hiding: .nothing))”, where the user was sent; its code is not used."
  }
}

/// What a user pastes where no redirect could arrive: the whole address from the browser, its query, or just the code.
public enum PastedAuthorization: Sendable, Hashable {
  /// An address or a query; or `CODE&state=STATE`, which snac shows.
  case response(AuthorizationResponse)
  /// A code alone; it belongs to the one login that is pending.
  case code(OAuth.Secret)
  /// None of these.
  case notUnderstood

  /// The longest code taken, in bytes.
  public static let codeLimit = 4_096

  /// Reads the text. Blanks, quotes and angle brackets around it are no part of it.
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
      self = .notUnderstood
    }
  }

  /// Both are taken as they stand: what a page shows is not encoded.
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

  /// Whether a segment has one of the redirect's names. A code alone may hold `=`.
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
