package import CivilTime
internal import Drive
package import HomelineOAuth
internal import Timeline

/// Gokuai, a cloud drive. The token of a user is kept valid for `homeline drive`; it has no timeline.
package struct Gokuai: Provider {
  package static let name = "gokuai"

  package let authorization: ProviderAuthorization
  package let server: String

  package let traits = ProviderTraits(
    pageSize: 1, reach: 1, overlap: .zero, hasTimeline: false,
    requestsPerMinute: 60)

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth2 else { return nil }
    let origin = place.base?.origin ?? DriveAPI.publicServer
    server = origin
    let endpoints = OAuth2Endpoints(
      issuer: nil, promisesIssuer: false, authorize: nil, token: try RequestURL("\(origin)/m-api/oauth2/token2"),
      revocation: nil, deviceAuthorization: nil, userInfo: nil)
    var profile = OAuth2Profile(
      endpoints: endpoints, scopes: [], usesPKCE: false, tokenPlacement: .parameter("token"),
      clientAuthentication: .none)
    profile.usesPassword = true
    authorization = .oauth2(profile)
  }

  package var host: String { server }

  package func userRequest() -> ProviderRequest? { nil }

  package func userStep(after response: ProviderResponse) throws(ProviderError) -> UserStep { .user(anonymousUser) }

  /// The MD5 of the password. A user name with a domain belongs to another directory, which needs the password itself, in base64.
  package func passwordProof(_ password: Secret, of userName: String) throws(ProviderError) -> Secret {
    do throws(CryptographyError) { return try DrivePassword.proof(password, of: userName) } catch {
      throw .unreadable("The password cannot be sent: \(error)")
    }
  }

  /// Adds the time and the signature. The client's secret signs the request and is not sent.
  package func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderError) -> OAuth2FormRequest {
    let form = request.form + [Parameter("dateline", "\(now.seconds)")]
    do throws(DriveSignatureError) {
      let signature = try DriveSignature.sign(form, secret: client.secret ?? Secret(""))
      return OAuth2FormRequest(
        url: request.url, form: form + [Parameter(DriveSignature.name, signature)], authorization: nil)
    } catch { throw .unreadable("The token request cannot be signed: \(error).") }
  }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> TokenFailure {
    guard let failure = DriveFailure(status: response.status, body: response.body, hiding: response.hiding),
      failure.code != nil
    else { return TokenFailure(error, in: response) }
    let message = failure.description
    return switch failure.kind {
    case .loginNeeded, .tokenExpired: .dead(message)
    case .configuration: .clientRejected(message)
    case .unavailable: .transient(message, until: response.retryAfter)
    default: .refused(message, until: response.retryAfter)
    }
  }

  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    preconditionFailure("a provider without a timeline was asked for one")
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderError) -> PageResponse {
    preconditionFailure("a provider without a timeline was asked for one")
  }
}
