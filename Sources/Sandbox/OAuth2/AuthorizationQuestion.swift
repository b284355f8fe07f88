/// An authorisation request that was found good (RFC 6749 §4.1.1).
struct AuthorizationQuestion: Sendable {
  let client: RegisteredClient
  let redirect: String
  let scopes: [String]
  let state: String?
  let challenge: CodeChallenge?
}
