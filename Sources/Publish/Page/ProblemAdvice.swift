internal import Timeline

/// What the reader of a page can do about a problem.
enum ProblemAdvice {
  /// A sentence or two; empty where the problem's own words say it already. No markup: to be escaped.
  static func words(for problem: Problem, account: String) -> String {
    if problem.message.contains("homeline ") { return "" }
    return switch problem.code {
    case .notAuthorised: "Run: homeline login \(account)"
    case .rateLimited, .network, .provider: "There is nothing to do: it is asked again without you."
    case .closed: "See at the provider whether this timeline is still offered to your client."
    case .locked: "Sign in at the provider's own site and see what it wants of you."
    case .paused: "Add credit at the provider, then run: homeline refresh \(account)"
    case .budget:
      "It goes on by itself when the limit's time is over. To have it sooner, raise the budget in the configuration."
    case .storage: "Make room on the disk, or see whether homeline may write to its folders."
    case .configuration: "Correct the configuration, then run: homeline check"
    case .secretUnavailable: "See that the secret can be read, then run: homeline refresh \(account)"
    }
  }
}
