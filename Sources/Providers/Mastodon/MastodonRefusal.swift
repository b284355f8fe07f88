internal import HomelineOAuth

/// What servers of Mastodon's API refuse with, beyond what is known of all providers.
struct MastodonRefusal {
  let answer: ProviderAnswer
  /// What the token must allow.
  let scopes: [String]
  /// The server's origin.
  let server: String

  /// `nil` for an answer that is no refusal.
  var verdict: Verdict? {
    let refusal = ProviderRefusal(Answer(answer, readsChallenges: false), expecting: "JSON")
    let words = refusal.flatMap { $0.isWordless ? nil : $0.message } ?? ""
    switch answer.status {
    case 301, 308: return moved ?? Verdict(answer)
    case 401: return .needsLogin(said(words, "The token is no longer good; log in again."))
    case 403 where answer.body.isEmpty:
      // So servers answer that are built with django-oauth-toolkit, when the token has expired.
      return .needsLogin("The server sent status 403 without a word: the token may have expired. Log in again.")
    case 403 where contains(words, "outside the authorized scopes"):
      let needed = scopes.joined(separator: " ")
      return .configuration(said(words, "The token must allow \(needed): check the account's scopes and log in again."))
    case 403 where contains(words, "login is currently disabled"):
      return .locked(said(words, "Only the server's administrators can change that."))
    case 403 where contains(words, "confirmed e-mail"):
      return .configuration(said(words, "Confirm the e-mail address on \(server)."))
    case 422 where contains(words, "requires an authenticated user"):
      return .needsLogin(said(words, "The token is not a user's; log in again."))
    default: return Verdict(answer)
    }
  }

  /// The server has a new name: only the user can tell whether it is the same.
  private var moved: Verdict? {
    guard let location = answer.header("location"), let target = try? RequestURL(location), target.origin != server
    else { return nil }
    return .configuration(
      "The server \(server) says that it has moved to \(answer.hiding.applied(to: target.origin)). Check there, then change the account's server."
    )
  }

  private func said(_ words: String, _ advice: String) -> String {
    words.isEmpty ? "The server sent status \(answer.status). \(advice)" : "The server says: “\(words)”. \(advice)"
  }

  private func contains(_ words: String, _ phrase: String) -> Bool { words.lowercased().contains(phrase) }
}
