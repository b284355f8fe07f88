extension TemporaryCredentials {
  /// The second leg: the address that the user opens in a browser (RFC 5849 §2.2).
  ///
  /// The endpoint's own query stays in front; `oauth_token` follows, then what the provider knows besides
  /// (`force_login=true`, `screen_name`). Nothing here is signed.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` when the parameters make it so.
  public func authorizationURL(
    at endpoint: RequestURL, adding parameters: [Parameter] = []
  ) throws(RequestURLError) -> RequestURL {
    try endpoint.adding([Parameter("oauth_token", identifier)] + parameters)
  }
}
