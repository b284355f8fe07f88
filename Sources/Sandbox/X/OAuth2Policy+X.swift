extension OAuth2Policy {
  /// What X documents: codes of 30 seconds, access tokens of two hours, a refresh token for `offline.access`, redirect URIs
  /// equal in every byte. That a refresh token used twice ends the login is what its users report.
  package static var x: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.redirectMatch = .exact
    policy.proofKey = .required
    policy.allowsPlainChallenge = true
    policy.clientAuthentications = [.none, .basic]
    policy.codeLife = .seconds(30)
    policy.accessLife = .seconds(7_200)
    policy.refreshTokens = .withScope("offline.access")
    policy.rotation = .rotatingKillsFamily
    return policy
  }
}
