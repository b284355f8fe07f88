internal import HomelineOAuth
internal import Providers

extension Failure {
  /// What the refusal of a token means for whoever asked.
  init(_ verdict: TokenVerdict, _ trouble: String, isAboutCallback: Bool = false) {
    let kind: Kind =
      switch verdict {
      case .dead: .notAuthorised
      case .clientRejected: .configuration
      case .transient(_, let until): until == nil ? .unavailable : .tryAgain(at: until)
      case .refused: .unavailable
      }
    self.init(kind, "\(trouble): \(verdict.words)", isAboutCallback: isAboutCallback)
  }
}

/// What a provider's refusal of a login's leg means for whoever asked.
extension Failure {
  /// - Parameter leg: the endpoint's name in the configuration.
  init(_ error: AnswerError, _ leg: String) {
    let sentence = "\(leg) brought no token. \(error)"
    switch error {
    case .refused(let refusal):
      let kind: Kind =
        switch refusal.kind {
        case .configuration, .closed, .clock: .configuration
        case .limit, .paused: .tryAgain(at: nil)
        case .transient: .unavailable
        case .needsLogin, .locked, .refused: .notAuthorised
        }
      self.init(kind, sentence, isAboutCallback: refusal.isAboutCallback)
    case .callbackNotConfirmed, .missingParameter("oauth_callback_confirmed"):
      self.init(
        .configuration,
        sentence + " If you trust this server, set \"require_callback_confirmation\": false in the account")
    default: self.init(.unavailable, sentence)
    }
  }
}
