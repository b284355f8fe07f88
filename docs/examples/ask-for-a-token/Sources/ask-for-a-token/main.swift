import HomelineOAuth

// Goes the way of OAuth 2.0 up to the request for a token, and prints what would be sent. Nothing is sent.
//
//   swift run --package-path docs/examples/ask-for-a-token

let client = OAuth2Client(identifier: "my-application", secret: nil, authentication: .none)
let redirect = "http://127.0.0.1:8765/callback"

// New ones for each attempt.
let state = try OAuth2State.random()
let verifier = try CodeVerifier.random()

let address = try AuthorizationRequest(
  endpoint: RequestURL("https://as.example/authorize"), clientID: client.identifier, redirect: redirect,
  scopes: ["read"], state: state, challenge: verifier.challenge
).url()
print("Open \(address)")
print("and paste the address that the browser ends at:")

guard case .response(.granted(let returned, let code, let issuer)) = PastedAuthorization(readLine() ?? "") else {
  fatalError("This is no grant.")
}
guard equalInConstantTime(returned, state) else { fatalError("This answers another attempt.") }
if let objection = IssuerRule(expected: "https://as.example", isPromised: false).objection(to: issuer) {
  fatalError(objection)
}

let request = AccessTokenRequest(
  endpoint: try RequestURL("https://as.example/token"), client: client,
  grant: .authorizationCode(code, redirect: redirect, verifier: verifier)
).request
print("POST \(request.url)")
print(FormEncoding.encode(request.form))
