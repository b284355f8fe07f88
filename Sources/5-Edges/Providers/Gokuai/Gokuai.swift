package import Bytes
internal import Cryptography
internal import Drive
internal import HTTP
package import HTTPClient
package import HomelineOAuth
package import Time
package import Timeline

/// Gokuai, a cloud drive. Its home timeline is the change feed of a library: each change is a post. A user's token is also kept valid for
/// `homeline drive`.
package struct Gokuai: Provider {
  package static let name = "gokuai"

  package let authorization: ProviderAuthorization
  package let server: String

  package let traits = ProviderTraits(requestsPerMinute: 60)
  private let access: DriveAccess

  package func traits(of timeline: TimelineName) -> TimelineTraits? {
    let hasFeed =
      switch access {
      case .user(let library): library != nil
      case .library: true
      case .enterprise: false
      }
    // The feed is read upwards from the last response, so its reach is unlimited.
    return hasFeed && timeline == .home
      ? TimelineTraits(pageSize: DriveChanges.fullPage, reach: 1_000_000, overlap: .zero) : nil
  }

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth2 else { return nil }
    let origin = place.base?.origin ?? DriveAPI.publicServer
    server = origin
    access = place.driveAccess ?? .user(library: nil)
    let endpoints = OAuth2Endpoints(
      issuer: nil, promisesIssuer: false, authorize: nil, token: try RequestURL("\(origin)/m-api/oauth2/token2"),
      revocation: nil, deviceAuthorization: nil, userInfo: nil)
    var profile = OAuth2Profile(
      endpoints: endpoints, scopes: [], usesPKCE: false, tokenPlacement: .parameter("token"),
      clientAuthentication: .none)
    profile.usesPassword = true
    profile.needsToken = if case .user = access { true } else { false }
    profile.signsRequests = true
    authorization = .oauth2(profile)
  }

  package var host: String { server }

  package func userRequest() -> ClientRequest? { nil }

  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep { .user(anonymousUser) }

  /// Returns the MD5 of the password. A user name with a domain belongs to another directory, which needs the password in base64 instead.
  package func passwordProof(_ password: Secret, of userName: String) throws(ProviderFailure) -> Secret {
    do throws(CryptographyError) { return try DrivePassword.proof(password, of: userName) } catch {
      throw .unreadable("The password cannot be sent: \(error)")
    }
  }

  /// Adds the time and the signature. The client's secret signs the request, but is not sent.
  package func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderFailure) -> OAuth2FormRequest {
    let form = request.form + [Parameter("dateline", "\(now.seconds)")]
    do throws(DriveSignatureError) {
      let signature = try DriveSignature.sign(form, secret: client.secret ?? Secret(""))
      return OAuth2FormRequest(
        url: request.url, form: form + [Parameter(DriveSignature.name, signature)], authorization: nil)
    } catch { throw .unreadable("The token request cannot be signed: \(error).") }
  }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> ProviderFailure {
    guard let failure = DriveError(response.oauthWithoutChallenge),
      failure.code != nil
    else { return ProviderFailure(error, in: response) }
    let message = failure.description
    return switch failure.kind {
    case .loginNeeded, .tokenExpired: .needsLogin(message)
    case .configuration: .configuration(message)
    case .unavailable: .transient(message, until: response.retryAfter)
    default: .refused(message, until: response.retryAfter)
    }
  }

  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    feed.request(for: query)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    if let failure = classify(response) { throw failure }
    return .page(try feed.page(from: response, for: query))
  }

  private var feed: GokuaiFeed { GokuaiFeed(server: server, isUser: isUser) }

  private var isUser: Bool { if case .user = access { true } else { false } }

  package func signed(
    _ request: ClientRequest, of client: OAuth2Client, token: Secret?, at now: Timestamp
  ) throws(ProviderFailure) -> ClientRequest {
    let key: DriveKey =
      switch (access, token) {
      case (.user(let library), let token?): .user(token: token, library: library)
      case (.enterprise, _): .enterprise(id: client.identifier)
      case (.library, _), (.user, nil): .library(id: client.identifier)
      }
    let api = DriveAPI(origin: server, key: key, secret: client.secret ?? Secret(""))
    do {
      let url = try RequestURL(request.url)
      let query = try url.query.map { try FormEncoding.decode($0) } ?? []
      let parameters = try api.completed(query + request.form, at: now.seconds)
      let endpoint = try RequestURL(url.baseStringURI)
      return request.method == .post ? .post(endpoint, form: parameters) : .get(endpoint, query: parameters)
    } catch { throw .unreadable("The request cannot be signed: \(error).") }
  }

  /// Error codes take precedence over the status. A wrong time is recognised from the server's `Date`, because no error code is specific to
  /// it.
  package var errorFormat: ErrorFormat { [.error, .code] }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? {
    guard let failure = DriveError(response.oauthWithoutChallenge) else {
      return nil
    }
    let message = failure.description.sentence
    switch failure.kind {
    case .tokenExpired, .loginNeeded:
      return isUser ? .needsLogin(message) : .configuration("\(message) Check client_id and client_secret.")
    case .unavailable:
      return response.status == 429
        ? .rateLimited(message, until: response.limitEnd) : .transient(message, until: response.retryAfter)
    case .configuration:
      return .wrongTime(in: response, message) ?? .configuration("\(message) Check client_id and client_secret.")
    case .notFound: return .configuration("\(message) Check the account's library.")
    default:
      if let clock = ProviderFailure.wrongTime(in: response, message) { return clock }
      guard response.status == 403 || failure.code.map({ $0 / 100 == 403 }) ?? false else { return .refused(message) }
      return .configuration(
        "\(message) \(isUser ? "This user" : "This key") may not read the library's changes; a library's own key can.")
    }
  }
}

extension String {
  /// The text as a sentence, with a capital letter and a full stop.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
