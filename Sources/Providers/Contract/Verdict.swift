package import CivilTime
internal import HomelineOAuth
package import Timeline

/// What a provider's refusal means for the account, each with words for its user.
package enum Verdict: Sendable, Hashable {
  /// The token is no longer good: only a new login helps.
  case needsLogin(String)
  /// Keys, addresses or permissions are wrong: only the user can set them right.
  case configuration(String)
  /// Too much was asked for: not before this moment, by our clock.
  case rateLimited(String, until: Timestamp)
  /// The provider wants money or more credit first: not before this moment, by our clock, and then no more than once an hour.
  case paused(String, until: Timestamp)
  /// It may work later: not before this moment where the provider names one, else with growing pauses.
  case transient(String, until: Timestamp?)
  /// Not offered to this client (any more): not asked for again by itself.
  case closed(String)
  /// The user's account is locked there: not asked for again by itself.
  case locked(String)
  /// The provider does not take the `since` of the query: ask again without.
  case sinceRefused(String)
  /// The request's time was too far off: learn the server's time where it is known, and sign once more.
  case clock(String, serverTime: Timestamp?)
  /// No, and nothing follows from it.
  case refused(String)

  /// What to tell the user.
  package var words: String {
    switch self {
    case .needsLogin(let words), .configuration(let words), .rateLimited(let words, _), .paused(let words, _),
      .transient(let words, _),
      .closed(let words), .locked(let words), .sinceRefused(let words), .clock(let words, _), .refused(let words):
      words
    }
  }

  /// The same for the timeline's reader.
  var problem: Problem {
    switch self {
    case .needsLogin(let words): Problem(code: .notAuthorised, message: words)
    case .configuration(let words): Problem(code: .configuration, message: words)
    // A clock is put right by itself, where a time server is asked: nothing waits for the user.
    case .clock(let words, _): Problem(code: .provider, message: words)
    case .rateLimited(let words, let until): Problem(code: .rateLimited, message: words, retryAt: until)
    case .paused(let words, let until): Problem(code: .paused, message: words, retryAt: until)
    case .transient(let words, let until): Problem(code: .provider, message: words, retryAt: until)
    case .closed(let words): Problem(code: .closed, message: words)
    case .locked(let words): Problem(code: .locked, message: words)
    case .sinceRefused(let words), .refused(let words): Problem(code: .provider, message: words)
    }
  }
}

/// Why an answer is not what was asked for.
package enum ProviderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The provider says no.
  case refused(Verdict)
  /// Neither data nor a refusal: what came instead, and what was expected.
  case unreadable(String)

  package var description: String {
    switch self {
    case .refused(let verdict): verdict.words
    case .unreadable(let words): words
    }
  }

  /// The same in words for the timeline's reader.
  package var problem: Problem {
    switch self {
    case .refused(let verdict): verdict.problem
    case .unreadable(let words): Problem(code: .provider, message: words)
    }
  }
}
