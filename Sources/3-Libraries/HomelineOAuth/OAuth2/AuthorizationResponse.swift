internal import Bytes
internal import OAuthValues

/// The parameters of the authorisation server's redirect, which leads the user's browser back to the application (RFC 6749 §4.1.2).
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
    self.init(
      Result { () throws(OAuth.FormError) in try OAuth.FormEncoding.decode(query, limits: OAuth.Callback.limits) })
  }

  /// Reads a query that has already been decoded.
  package init(_ decoded: Result<[OAuth.Parameter], OAuth.FormError>) {
    switch decoded {
    case .success(let parameters): self.init(parameters)
    case .failure(let error): self = .invalid(.unreadable(error))
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
