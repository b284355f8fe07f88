internal import HTTP
internal import JSON
internal import Time

/// Responses from the token endpoints of Mastodon-compatible servers.
enum MastodonTokens {
  /// Returns the response from the token endpoint.
  /// - Parameter isScopeRequested: whether the request contained a scope. If it did not, snac returns no scope.
  static func response(
    _ issued: IssuedTokens, _ flavour: MastodonFlavour, isScopeRequested: Bool, base: String, at now: Timestamp
  ) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      if flavour == .snac, !isScopeRequested {
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

  /// Returns an error response from the token or revocation endpoint.
  static func response(_ error: OAuth2Error, _ flavour: MastodonFlavour) -> Response {
    if flavour.hasEmptyErrors { return Response(status: error.status) }
    // Doorkeeper responds with 403 if the token belongs to another client.
    return error == .notOwnToken
      ? OAuth2Error.response(.forbidden, error: error.code, description: error.message) : error.response
  }
}
