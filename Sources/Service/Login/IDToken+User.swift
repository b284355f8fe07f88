internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Timeline

extension IDToken {
  /// The user by the id that does not change; the names are for show.
  var user: User {
    let screenName = preferredUsername ?? email ?? subject
    return User(id: subject, screenName: screenName, name: name ?? screenName)
  }

  /// The ID Token of a token answer; `nil` where there is none, or the provider tells its users in another way.
  /// - Throws: why it proves nothing.
  init?(
    _ response: AccessTokenResponse, in answer: ProviderAnswer, at server: AuthorizationServer,
    _ endpoints: OAuth2Endpoints, clientID: String, nonce: String?
  ) throws(Failure) {
    guard server.profile.readsIDToken, let token = response.idToken else { return nil }
    let now = (answer.serverTime ?? answer.receivedAt).seconds
    do throws(IDTokenError) {
      try self.init(token, issuer: endpoints.issuer, clientID: clientID, nonce: nonce, now: now)
    } catch {
      throw Failure(.notAuthorised, "the server's id_token does not say who the user is, since \(error). Log in again")
    }
  }
}
