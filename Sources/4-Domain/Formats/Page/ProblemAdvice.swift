internal import Timeline

/// Advice on a problem for the page's reader.
enum ProblemAdvice {
  /// Returns one or two sentences of plain text; empty if the problem's message already contains advice.
  static func text(for problem: Problem, account: String) -> String {
    if problem.message.contains("homeline ") { return "" }
    return switch problem.code {
    case .notAuthorised: "Run: homeline login \(account)"
    case .rateLimited, .network, .provider: "No action is needed: homeline tries again automatically."
    case .closed: "Check with the provider whether your client may still read this timeline."
    case .locked: "Sign in on the provider's website and follow its instructions."
    case .paused: "Add credit with the provider, then run: homeline refresh \(account)"
    case .budget:
      "Refreshes resume when the budget period ends. To resume earlier, raise the budget in the configuration."
    case .storage: "Free disk space, or check that homeline may write to its folders."
    case .configuration: "Correct the configuration, then run: homeline check"
    case .secretUnavailable: "Make sure that the secret can be read, then run: homeline refresh \(account)"
    }
  }
}
