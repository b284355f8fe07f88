extension OAuth2Home {
  /// A home whose account is authorised, with a token whose time is over: whoever looks at it renews it. What the server gives from now
  /// on lasts.
  /// - Parameter options: of the server.
  static func withEndedToken(_ options: [String] = []) async throws -> OAuth2Home {
    let server = try await OAuth2PeerServer(options + ["--alter", #"{"expires_in": 0}"#])
    let home = try OAuth2Home(server)
    try await home.logIn()
    try await server.control(#"{"alter": "", "do": "forget_counts"}"#)
    return home
  }
}
