extension OAuth {
  /// The parameters with which the provider redirects the user's browser back to the application (RFC 5849 §2.2).
  ///
  /// Before using the parameters, check that the token is the one that was issued (``equalInConstantTime(_:_:)-(String,_)``).
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

    /// The parameters that this type reads. Each may appear only once. Any others belong to the callback URL.
    static let names = ["oauth_token", "oauth_verifier", "denied", "oauth_problem", "error"]

    /// The parameters that mark a denial.
    private static let refusals = ["denied", "oauth_problem", "error"]

    /// Parses the query of the redirect as received; nil means no query.
    public init(query: String?) {
      self.init(query: Array((query ?? "").utf8))
    }

    /// Parses the query of the redirect as bytes.
    public init(query: [UInt8]) {
      do throws(FormError) {
        self.init(try FormEncoding.decode(query, limits: Self.limits))
      } catch {
        self = .invalid(.unreadable(error))
      }
    }

    private init(_ parameters: [Parameter]) {
      var values: [String: [UInt8]] = [:]
      for name in Self.names {
        let all = parameters.filter { $0.isNamed(name) }
        guard all.count <= 1 else {
          self = .invalid(.duplicateParameter(name))
          return
        }
        values[name] = all.first?.value
      }
      func value(_ name: String) -> [UInt8]? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
      let token = value("oauth_token")
      let verifier = value("oauth_verifier")
      let denied = value("denied")

      // No provider sends a contradictory combination, so such a callback is rejected.
      guard verifier == nil || Self.refusals.allSatisfy({ values[$0] == nil }),
        denied == nil || token == nil || denied == token
      else {
        self = .invalid(.contradiction)
        return
      }
      guard [token, denied].allSatisfy({ $0.map { String(validating: $0, as: UTF8.self) != nil } ?? true }) else {
        self = .invalid(.tokenIsNotText)
        return
      }
      if let refusal = Self.refusal(denied: denied, code: value("oauth_problem") ?? value("error"), token: token) {
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

    /// The token; nil if there is none. Compare it with the one that was issued (``equalInConstantTime(_:_:)-(String,_)``).
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

/// An error in a callback's query. The login should continue waiting, because anyone can send such a request.
public enum CallbackError: Sendable, Hashable, CustomStringConvertible {
  /// There is no token.
  case missingToken
  /// There is a token but no verifier. The server may implement OAuth 1.0 without revision A, or the request may be unrelated to a login.
  case missingVerifier
  /// The callback both grants and denies access, or denies two different tokens.
  case contradiction
  /// A protocol parameter appears more than once.
  case duplicateParameter(String)
  /// The token is not valid UTF-8.
  case tokenIsNotText
  /// The query is not valid form data.
  case unreadable(OAuth.FormError)

  /// Describes the error in a sentence, without quoting values from the query.
  public var description: String {
    switch self {
    case .missingToken: "The callback has no oauth_token."
    case .missingVerifier: "The callback has no oauth_verifier."
    case .contradiction: "The callback both grants and denies access."
    case .duplicateParameter(let name): "The callback contains \(name) more than once."
    case .tokenIsNotText: "The callback's oauth_token is not UTF-8."
    case .unreadable(let error): "The callback has a malformed query. \(error)"
    }
  }
}

/// The text that the user pastes if the redirect cannot reach this machine: the URL from the browser, its query, or just the verifier.
public enum PastedRedirect: Sendable, Hashable {
  /// A URL or a query.
  case callback(OAuth.Callback)
  /// A verifier (PIN), which belongs to the only pending login.
  case verifier(OAuth.Secret)
  /// The text is neither a URL nor a query nor a verifier.
  case unrecognized

  /// The maximum length of a verifier in bytes. X uses 7 digits; other servers use about a hundred characters.
  public static let verifierLimit = 512

  /// Parses the text. Surrounding whitespace, quotes and angle brackets are ignored.
  public init(_ text: String) {
    let pasted = Self.unwrapped(Array(text.utf8))
    let beforeFragment = pasted.prefix { $0 != UInt8(ascii: "#") }
    if let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")) {
      self = .callback(OAuth.Callback(query: Array(beforeFragment[(mark + 1)...])))
    } else if Self.isQuery(beforeFragment) {
      self = .callback(OAuth.Callback(query: Array(beforeFragment)))
    } else if Self.isVerifier(pasted) {
      self = .verifier(OAuth.Secret(bytes: Array(pasted)))
    } else {
      self = .unrecognized
    }
  }

  static func unwrapped(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isWrapping = { (byte: UInt8) in byte <= 0x20 || "\"'<>".utf8.contains(byte) }
    var rest = bytes.drop(while: isWrapping)
    while let last = rest.last, isWrapping(last) { rest.removeLast() }
    return rest
  }

  /// Returns whether the text contains one of the callback's parameters. A verifier may also contain `=`, because some servers use base64.
  private static func isQuery(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "&")).contains { segment in
      OAuth.Callback.names.contains { segment.starts(with: "\($0)=".utf8) }
    }
  }

  private static func isVerifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= verifierLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return false
    }
    return !String(decoding: bytes, as: UTF8.self).contains("://")
  }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias Callback = OAuth.Callback
