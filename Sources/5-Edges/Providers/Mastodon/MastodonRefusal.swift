internal import Bytes
internal import HomelineOAuth

/// Refusals that are specific to Mastodon-compatible servers.
struct MastodonRefusal {
  let response: ProviderResponse
  /// The server's origin.
  let server: String

  /// The failure; `nil` if the response is not a refusal.
  var failure: ProviderFailure? {
    let refusal = OAuth.ProviderError(response.oauthWithoutChallenge, expecting: "JSON")
    let message = refusal.flatMap { $0.content == .message ? $0.message : nil } ?? ""
    switch response.status {
    // This concerns one scope, not the token as a whole.
    case 401 where isAboutScope(message), 403 where isAboutScope(message):
      return .configuration(
        said(
          message,
          "The token does not allow this: check the account's scopes and log in again. To post, log in with --allow posting."
        ))
    case 401: return .needsLogin(said(message, "The token is no longer valid; log in again."))
    case 403 where contains(message, "login is currently disabled"):
      return .locked(said(message, "Only the server's administrators can change that."))
    case 403 where contains(message, "confirmed e-mail"):
      return .configuration(said(message, "Confirm the e-mail address on \(name)."))
    case 422 where contains(message, "requires an authenticated user"):
      return .needsLogin(said(message, "The token does not belong to a user; log in again."))
    case 404, 410:
      let quoted = message.isEmpty ? "" : " (“\(message)”)"
      return .closed("\(name) returned \(response.status)\(quoted) at the API's address.")
    default:
      guard let refusal else { return nil }
      // Messages can be in any language and about anything, so phrases in them have no meaning here.
      return ProviderFailure(passingBy: refusal, in: response) ?? .refused(said(message))
    }
  }

  /// Parts of the messages of Mastodon, of Takahē, and of the plugin for WordPress, whose message has status 401.
  static let scopePhrases = ["outside the authorized scopes", "out_of_scope", "insufficient"]

  private var name: String { (try? RequestURL(server)).map { DomainName.shown($0.authority) } ?? server }

  private func said(_ message: String, _ advice: String = "") -> String {
    let said = message.isEmpty ? "\(name) responded with status \(response.status)." : "\(name) says: “\(message)”."
    return advice.isEmpty ? said : "\(said) \(advice)"
  }

  private func isAboutScope(_ message: String) -> Bool { Self.scopePhrases.contains { contains(message, $0) } }

  private func contains(_ message: String, _ phrase: String) -> Bool { message.lowercased().contains(phrase) }
}
