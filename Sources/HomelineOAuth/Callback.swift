/// What the user's browser brings back from the provider (RFC 5849 §2.2).
///
/// Before any of it is believed, the token has to be one that was asked for (``equalInConstantTime(_:_:)-(String,_)``).
public enum Callback: Sendable, Hashable {
  /// The user granted access: exchange this token with this verifier.
  case granted(token: String, verifier: Secret)
  /// The user or the provider refused this token. RFC 5849 knows no such answer; this is `denied=TOKEN`, as X sends it, or
  /// `oauth_problem` or `error` beside an `oauth_token`. One of these without a value is none.
  case refused(token: String, reason: String)
  /// A refusal that names no token: any page on the web could have sent it.
  case refusedWithoutToken(reason: String)
  /// Neither.
  case unusable(CallbackProblem)

  /// A redirect's query is a few hundred bytes; browsers and servers stop at some thousand.
  package static let limits = FormEncoding.Limits(bytes: 16_384, parameters: 100)

  /// The names that mean something here. Each may come once; what else the query has is the callback address's own.
  static let names = ["oauth_token", "oauth_verifier", "denied", "oauth_problem", "error"]

  /// Those of them that say no.
  private static let refusals = ["denied", "oauth_problem", "error"]

  /// Reads the query of the redirect as it came over the wire, nil for none.
  public init(query: String?) {
    self.init(query: Array((query ?? "").utf8))
  }

  /// The same over bytes.
  public init(query: [UInt8]) {
    do throws(FormError) {
      self.init(try FormEncoding.decode(query, limits: Self.limits))
    } catch {
      self = .unusable(.unreadable(error))
    }
  }

  private init(_ parameters: [Parameter]) {
    var values: [String: [UInt8]] = [:]
    for name in Self.names {
      let all = parameters.filter { $0.isNamed(name) }
      guard all.count <= 1 else {
        self = .unusable(.doubledParameter(name))
        return
      }
      values[name] = all.first?.value
    }
    func value(_ name: String) -> [UInt8]? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    let token = value("oauth_token")
    let verifier = value("oauth_verifier")
    let denied = value("denied")

    // Whoever put them together is no provider: neither is believed.
    guard verifier == nil || Self.refusals.allSatisfy({ values[$0] == nil }),
      denied == nil || token == nil || denied == token
    else {
      self = .unusable(.contradiction)
      return
    }
    guard [token, denied].allSatisfy({ $0.map { String(validating: $0, as: UTF8.self) != nil } ?? true }) else {
      self = .unusable(.tokenIsNotText)
      return
    }
    if let refusal = Self.refusal(denied: denied, word: value("oauth_problem") ?? value("error"), token: token) {
      self = refusal
    } else if let token {
      guard let verifier else {
        self = .unusable(.missingVerifier)
        return
      }
      self = .granted(token: String(decoding: token, as: UTF8.self), verifier: Secret(bytes: verifier))
    } else {
      self = .unusable(.missingToken)
    }
  }

  private static func refusal(denied: [UInt8]?, word: [UInt8]?, token: [UInt8]?) -> Callback? {
    guard denied != nil || word != nil else { return nil }
    // The login that it names, or may mean, hides its secrets itself.
    let reason = word.map { PlainWords.cleaned($0, hiding: .nothing) } ?? "denied"
    guard let token = denied ?? token else { return .refusedWithoutToken(reason: reason) }
    return .refused(token: String(decoding: token, as: UTF8.self), reason: reason)
  }
}
