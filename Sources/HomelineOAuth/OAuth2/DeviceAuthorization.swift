/// The request that starts a login on another device (RFC 8628 §3.1).
public struct DeviceAuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let scopes: [String]

  /// Creates the request. If `scopes` is empty, the server chooses them.
  public init(endpoint: RequestURL, client: OAuth2Client, scopes: [String]) {
    self.endpoint = endpoint
    self.client = client
    self.scopes = scopes
  }

  /// The request to send.
  public var request: OAuth2FormRequest {
    let scope = scopes.isEmpty ? [] : [OAuth.Parameter("scope", scopes.joined(separator: " "))]
    return client.request(to: endpoint, form: scope)
  }
}

/// The response with the codes for a login on another device (RFC 8628 §3.2).
public struct DeviceAuthorizationResponse: Sendable, Hashable {
  /// The code for polling the token endpoint.
  public let deviceCode: OAuth.Secret
  /// The code that the user enters on the other device, on a single line without control characters.
  public let userCode: String
  /// The `http` or `https` URL where the user enters the code.
  public let verificationURI: String
  /// The URL that includes the code, for a QR code; nil if there is none.
  public let verificationURIComplete: String?
  /// The lifetime of both codes in seconds.
  public let expiresIn: Int64
  /// The polling interval in seconds, at least 1. The default is 5.
  public let interval: Int64

  /// Parses the response.
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
      throw members.unreadable("a user_code with control characters")
    }
    verificationURI = try Self.address(try members.required("verification_uri"), members)
    verificationURIComplete = try members.text("verification_uri_complete").map { text throws(OAuth2ResponseError) in
      try Self.address(text, members)
    }
    guard let expiresIn = members.seconds("expires_in") else {
      throw members.unreadable("a response without expires_in")
    }
    self.expiresIn = expiresIn
    interval = members.seconds("interval").map { max($0, 1) } ?? 5
  }

  /// Checks a URL that will be shown in a terminal and opened in a browser. The URL must use `http` or `https`, and contain no control
  /// characters.
  private static func address(_ text: String, _ members: OAuth2ResponseReader) throws(OAuth2ResponseError) -> String {
    do throws(RequestURLError) {
      _ = try RequestURL(text)
      return text
    } catch {
      throw members.unreadable("an invalid verification URL (\(error))")
    }
  }
}

/// Decides when to poll the token endpoint while the user authorises the application on another device (RFC 8628 §3.5).
///
/// This type has no clock. The caller waits ``interval`` before the first request and gives up ``expiresIn`` seconds after the
/// device authorisation.
public struct DevicePolling: Sendable, Hashable {
  /// The next step.
  public enum Step: Sendable, Hashable {
    /// Poll again after this many seconds.
    case wait(seconds: Int64)
    /// The user has granted access.
    case authorised(AccessTokenResponse)
    /// The login has ended with an error, such as `access_denied` or `expired_token`.
    case ended(OAuth2EndpointError)
  }

  /// The lifetime of the codes in seconds.
  public let expiresIn: Int64
  /// The polling interval in seconds.
  public private(set) var interval: Int64
  private var unanswered = 0

  /// Starts polling with the values from the response.
  public init(_ response: DeviceAuthorizationResponse) {
    expiresIn = response.expiresIn
    interval = response.interval
  }

  /// Returns the next step after a request. A nil result means that there was no response.
  ///
  /// Without a valid response, the pause doubles with each request, up to a minute.
  public mutating func next(after result: Result<AccessTokenResponse, OAuth2ResponseError>?) -> Step {
    switch result {
    case .success(let response)?: return .authorised(response)
    case .failure(.refused(let error))? where error.code == "authorization_pending": break
    case .failure(.refused(let error))? where error.code == "slow_down":
      // The longer interval applies to all later requests.
      interval += 5
    case .failure(.refused(let error))? where !Self.isTemporary(error): return .ended(error)
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

  /// Returns whether an error concerns the server rather than the user's decision.
  private static func isTemporary(_ error: OAuth2EndpointError) -> Bool {
    error.status >= 500 || error.status == 429
      || ["temporarily_unavailable", "server_error"].contains(error.code)
  }
}
