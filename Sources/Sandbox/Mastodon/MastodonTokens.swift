internal import CivilTime
internal import HTTP
internal import JSON

/// What a server of Mastodon's API says about tokens, in its own words.
enum MastodonTokens {
  /// The token endpoint's answer.
  /// - Parameter isScopeAsked: whether the request named a scope: snac tells one only then.
  static func response(
    _ issued: IssuedTokens, _ flavour: MastodonFlavour, isScopeAsked: Bool, base: String, at now: Timestamp
  ) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      if flavour == .snac, !isScopeAsked {
        writer.member("access_token", issued.access)
        writer.member("token_type", "Bearer")
      } else {
        issued.writeMembers(to: &writer)
      }
      writer.member("created_at", now.seconds)
      if flavour == .akkoma {
        writer.member("id", 1)
        writer.member("me", "\(base)/users/\(Author.mira.screenName)")
      }
    }
    var response = Response(json: writer.bytes)
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  /// A refusal of the token or revocation endpoint.
  static func response(_ failure: OAuth2Failure, _ flavour: MastodonFlavour) -> Response {
    if flavour.isWordless { return Response(status: failure.status) }
    // Doorkeeper tells somebody else's token by 403.
    return failure == .notOwnToken
      ? OAuth2Failure.response(.forbidden, error: failure.code, description: failure.words) : failure.response
  }
}
