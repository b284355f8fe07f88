/// What the user's browser brings back from the authorisation server (RFC 6749 §4.1.2).
///
/// Before any of it is believed, the state has to be the one of the attempt (``equalInConstantTime(_:_:)-(String,_)``), and
/// then the issuer has to pass the ``IssuerRule``, for a refusal too.
public enum AuthorizationResponse: Sendable, Hashable {
  /// Access is granted: exchange the code, once.
  case granted(state: String, code: Secret, issuer: String?)
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
    do throws(FormError) {
      self.init(try FormEncoding.decode(query, limits: Callback.limits))
    } catch {
      self = .unusable(.unreadable(error))
    }
  }

  private init(_ parameters: [Parameter]) {
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
    case (nil, let code?, let state?): return .granted(state: state, code: Secret(bytes: code), issuer: issuer)
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
