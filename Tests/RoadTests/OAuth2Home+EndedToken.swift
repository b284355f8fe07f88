extension OAuth2Home {
  /// An installation whose account is authorised with an expired token, so that every use renews it. Later tokens do
  /// not expire.
  /// - Parameter options: options of the server.
  static func withEndedToken(_ options: [String] = []) async throws -> OAuth2Home {
    let server = try await OAuth2PeerServer(options + ["--alter", #"{"expires_in": 0}"#])
    let home = try OAuth2Home(server)
    try await home.logIn()
    try await server.control(#"{"alter": "", "do": "forget_counts"}"#)
    return home
  }
}
