internal import Bytes
public import OAuthValues

extension OAuth {
  /// The parameters of the provider's redirect, which leads the user's browser back to the application (RFC 5849 §2.2).
  ///
  /// Before using the parameters, check that the token is the issued one (``equalInConstantTime(_:_:)-(String,_)``).
  public enum Callback: Sendable, Hashable {
    /// The user granted access. Exchange the token and the verifier for an access token.
    case granted(token: String, verifier: Secret)
    /// The user or the provider denied access. RFC 5849 does not define denials; they are recognised by `denied=TOKEN`, which X sends, or
    /// by a non-empty `oauth_problem` or `error` together with an `oauth_token`.
    case refused(token: String, reason: String)
    /// A denial without a token, which any web page could have sent.
    case refusedWithoutToken(reason: String)
    /// The callback neither grants nor denies access.
    case invalid(CallbackError)

    /// The limits for redirect queries, which are usually a few hundred bytes long.
    package static let limits = FormEncoding.Limits(bytes: 16_384, parameters: 100)

    /// The parameters that this type reads. Each may appear only once; those from `denied` on mark a denial. Any others belong to the
    /// callback URL.
    static let names = ["oauth_token", "oauth_verifier", "denied", "oauth_problem", "error"]

    /// Parses the query of the redirect as received; nil means no query.
    public init(query: String?) {
      self.init(query: Array((query ?? "").utf8))
    }

    /// Parses the query of the redirect as bytes.
    public init(query: [UInt8]) {
      self.init(Result { () throws(FormError) in try FormEncoding.decode(query, limits: Self.limits) })
    }

    /// Reads a query that has already been decoded.
    package init(_ decoded: Result<[Parameter], FormError>) {
      switch decoded {
      case .success(let parameters): self.init(parameters)
      case .failure(let error): self = .invalid(.unreadable(error))
      }
    }

    private init(_ parameters: [Parameter]) {
      // The values in the order of the names. A few comparisons cost less than the hashes of a dictionary.
      var values = [[UInt8]?](repeating: nil, count: Self.names.count)
      for parameter in parameters {
        guard let index = Self.names.firstIndex(where: { parameter.isNamed($0) }) else { continue }
        guard values[index] == nil else {
          self = .invalid(.duplicateParameter(Self.names[index]))
          return
        }
        values[index] = parameter.value
      }
      func value(_ index: Int) -> [UInt8]? { values[index].flatMap { $0.isEmpty ? nil : $0 } }
      let (token, verifier, denied, problem, error) = (value(0), value(1), value(2), value(3), value(4))

      // No provider sends a contradictory combination, so such a callback is refused.
      guard verifier == nil || values[2...].allSatisfy({ $0 == nil }),
        denied == nil || token == nil || denied == token
      else {
        self = .invalid(.contradiction)
        return
      }
      guard [token, denied].allSatisfy({ $0.map { String(validating: $0, as: UTF8.self) != nil } ?? true }) else {
        self = .invalid(.tokenIsNotText)
        return
      }
      if let refusal = Self.refusal(denied: denied, code: problem ?? error, token: token) {
        self = refusal
      } else if let token {
        guard let verifier else {
          self = .invalid(.missingVerifier)
          return
        }
        self = .granted(token: String(decoding: token, as: UTF8.self), verifier: Secret(bytes: verifier))
      } else {
        self = .invalid(.missingToken)
      }
    }

    /// The token; nil if there is none. Compare it with the issued token (``equalInConstantTime(_:_:)-(String,_)``).
    public var token: String? {
      switch self {
      case .granted(let token, _), .refused(let token, _): token
      case .refusedWithoutToken, .invalid: nil
      }
    }

    private static func refusal(denied: [UInt8]?, code: [UInt8]?, token: [UInt8]?) -> Callback? {
      guard denied != nil || code != nil else { return nil }
      // The secrets are not known here. The caller must hide those of the login that the token belongs to.
      let reason = code.map { ProviderText.cleaned($0, hiding: .nothing) } ?? "denied"
      guard let token = denied ?? token else { return .refusedWithoutToken(reason: reason) }
      return .refused(token: String(decoding: token, as: UTF8.self), reason: reason)
    }
  }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias Callback = OAuth.Callback
