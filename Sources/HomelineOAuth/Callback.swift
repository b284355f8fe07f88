extension OAuth {
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

    /// The token that it names, nil for none. Compare it with the issued one (``equalInConstantTime(_:_:)-(String,_)``).
    public var token: String? {
      switch self {
      case .granted(let token, _), .refused(let token, _): token
      case .refusedWithoutToken, .unusable: nil
      }
    }

    private static func refusal(denied: [UInt8]?, word: [UInt8]?, token: [UInt8]?) -> Callback? {
      guard denied != nil || word != nil else { return nil }
      // The login that it names, or may mean, hides its secrets itself.
      let reason = word.map { ProviderText.cleaned($0, hiding: .nothing) } ?? "denied"
      guard let token = denied ?? token else { return .refusedWithoutToken(reason: reason) }
      return .refused(token: String(decoding: token, as: UTF8.self), reason: reason)
    }
  }
}

/// Why a callback's query is neither a grant nor a refusal. The login goes on waiting.
public enum CallbackProblem: Sendable, Hashable, CustomStringConvertible {
  /// It names no token.
  case missingToken
  /// It names a token and no verifier: a server without the 2009 fix, or a stray.
  case missingVerifier
  /// It grants and refuses at once, or refuses two tokens.
  case contradiction
  /// One of the protocol's parameters comes twice.
  case doubledParameter(String)
  /// The token's bytes are not UTF-8.
  case tokenIsNotText
  /// It cannot be read at all.
  case unreadable(OAuth.FormError)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .missingToken: "The callback has no oauth_token."
    case .missingVerifier: "The callback has no oauth_verifier."
    case .contradiction: "The callback grants access and refuses it at once."
    case .doubledParameter(let name): "The callback has \(name) twice."
    case .tokenIsNotText: "The callback's oauth_token is not UTF-8."
    case .unreadable(let error): "The callback cannot be read. \(error)"
    }
  }
}

/// What a user pastes where no redirect could arrive: the whole address from the browser, its query, or just the verifier.
public enum PastedRedirect: Sendable, Hashable {
  /// An address or a query.
  case callback(OAuth.Callback)
  /// A verifier (a PIN) alone; it belongs to the one login that is pending.
  case verifier(OAuth.Secret)
  /// None of these.
  case notUnderstood

  /// The longest verifier taken, in bytes. X's has 7 digits, others have a hundred letters.
  public static let verifierLimit = 512

  /// Reads the text. Blanks, quotes and angle brackets around it are no part of it.
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
      self = .notUnderstood
    }
  }

  static func unwrapped(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isWrapping = { (byte: UInt8) in byte <= 0x20 || "\"'<>".utf8.contains(byte) }
    var rest = bytes.drop(while: isWrapping)
    while let last = rest.last, isWrapping(last) { rest.removeLast() }
    return rest
  }

  /// Whether a segment has one of the callback's names. A verifier alone may hold `=`, being base64 at some servers.
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

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Callback = OAuth.Callback
