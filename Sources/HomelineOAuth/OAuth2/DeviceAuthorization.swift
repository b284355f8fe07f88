/// Begins a login in which the user decides on another device (RFC 8628 §3.1).
public struct DeviceAuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let scopes: [String]

  /// Describes the request; no scopes leave the choice to the server.
  public init(endpoint: RequestURL, client: OAuth2Client, scopes: [String]) {
    self.endpoint = endpoint
    self.client = client
    self.scopes = scopes
  }

  /// What to send.
  public var request: OAuth2FormRequest {
    let scope = scopes.isEmpty ? [] : [OAuth.Parameter("scope", scopes.joined(separator: " "))]
    return client.request(to: endpoint, form: scope)
  }
}

/// What the user is to be shown, and what to ask with meanwhile (RFC 8628 §3.2).
public struct DeviceAuthorizationResponse: Sendable, Hashable {
  /// What the token endpoint is asked with.
  public let deviceCode: OAuth.Secret
  /// What the user types on the other device: one line without control characters.
  public let userCode: String
  /// Where the user types it: an `http` or `https` address.
  public let verificationURI: String
  /// The same with the code in it, for a QR code; nil without one.
  public let verificationURIComplete: String?
  /// Seconds until both codes are worthless.
  public let expiresIn: Int64
  /// Seconds between two questions, at least 1; 5 when the server does not say.
  public let interval: Int64

  /// Reads the answer.
  ///
  /// - Throws: ``OAuth2ResponseError``.
  public init(_ response: OAuth.Response) throws(OAuth2ResponseError) {
    let names = [
      "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in", "interval",
    ]
    let members = try OAuth2ResponseReader(response, essential: "device_code", names: names)
    deviceCode = OAuth.Secret(try members.required("device_code"))
    userCode = try members.required("user_code")
    guard ProviderText.cleaned(userCode.utf8, hiding: .nothing) == userCode else {
      throw members.unreadable("a user_code nobody can type")
    }
    verificationURI = try Self.address(try members.required("verification_uri"), members)
    verificationURIComplete = try members.text("verification_uri_complete").map { text throws(OAuth2ResponseError) in
      try Self.address(text, members)
    }
    guard let expiresIn = members.seconds("expires_in") else {
      throw members.unreadable("an answer without expires_in")
    }
    self.expiresIn = expiresIn
    interval = members.seconds("interval").map { max($0, 1) } ?? 5
  }

  /// A terminal shows it and a browser opens it: nothing but the web's addresses, and no control characters.
  private static func address(_ text: String, _ members: OAuth2ResponseReader) throws(OAuth2ResponseError) -> String {
    do throws(RequestURLError) {
      _ = try RequestURL(text)
      return text
    } catch {
      throw members.unreadable("a verification address that is none (\(error))")
    }
  }
}

/// When to ask the token endpoint again while the user decides on another device (RFC 8628 §3.5).
///
/// It knows no clock: whoever uses it waits ``interval`` before the first question, and gives up ``expiresIn`` seconds
/// after the device authorisation.
public struct DevicePolling: Sendable, Hashable {
  /// What comes next.
  public enum Step: Sendable, Hashable {
    /// Ask again after so many seconds.
    case wait(seconds: Int64)
    /// The user has agreed.
    case authorised(AccessTokenResponse)
    /// It is over: `access_denied`, `expired_token`, or another refusal.
    case ended(OAuth2Refusal)
  }

  /// Seconds after which the codes are worthless.
  public let expiresIn: Int64
  /// Seconds between two questions.
  public private(set) var interval: Int64
  private var unanswered = 0

  /// Begins with what the server asks for.
  public init(_ response: DeviceAuthorizationResponse) {
    expiresIn = response.expiresIn
    interval = response.interval
  }

  /// Takes what came of a question, nil when nothing did.
  ///
  /// Without an answer, and with one that is none, the pause doubles from question to question, up to a minute.
  public mutating func next(after result: Result<AccessTokenResponse, OAuth2ResponseError>?) -> Step {
    switch result {
    case .success(let response)?: return .authorised(response)
    case .failure(.refused(let refusal))? where refusal.code == "authorization_pending": break
    case .failure(.refused(let refusal))? where refusal.code == "slow_down":
      // For this and all later questions.
      interval += 5
    case .failure(.refused(let refusal))? where !Self.isPassing(refusal): return .ended(refusal)
    case .failure?, nil:
      unanswered += 1
      return .wait(seconds: pause)
    }
    unanswered = 0
    return .wait(seconds: interval)
  }

  private var pause: Int64 {
    min(interval << min(unanswered, 6), max(60, 2 * interval))
  }

  /// A server in trouble says nothing about the user's decision.
  private static func isPassing(_ refusal: OAuth2Refusal) -> Bool {
    refusal.status >= 500 || refusal.status == 429
      || ["temporarily_unavailable", "server_error"].contains(refusal.code)
  }
}
