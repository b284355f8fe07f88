package import Timeline

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
