import Foundation

// Logs in to `homeline sandbox`, with either version of OAuth, and reads something with the new token.
//
//   homeline sandbox                     # in another terminal; --provider oauth2 for OAuth 2.0
//   swift run --package-path docs/examples/log-in log-in oauth1
//   swift run --package-path docs/examples/log-in log-in oauth2
//
// A second argument is the address of the server.

let arguments = CommandLine.arguments.dropFirst()
let server = arguments.dropFirst().first ?? "http://127.0.0.1:8767"
do {
  switch arguments.first {
  case "oauth1": try await logInWithOAuth1(at: server)
  case "oauth2": try await logInWithOAuth2(at: server)
  default: print("usage: log-in oauth1|oauth2 [SERVER]")
  }
} catch {
  print("Not logged in:", error)
  exit(1)
}
