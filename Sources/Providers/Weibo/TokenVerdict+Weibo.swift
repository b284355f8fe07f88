internal import HomelineOAuth

extension TokenVerdict {
  /// Judges a refusal of Weibo's token endpoint by its number; without one, by the words of RFC 6749.
  init(weibo error: OAuth2AnswerError, in answer: ProviderAnswer) {
    guard case .refused(let refusal) = error, refusal.errorCode != nil, let verdict = Verdict(weibo: answer) else {
      self.init(error, in: answer)
      return
    }
    let words = verdict.words
    switch verdict {
    case .needsLogin: self = .dead(words)
    case .configuration, .closed: self = .clientRejected(words)
    case .rateLimited(_, let until), .paused(_, let until): self = .transient(words, until: until)
    case .transient(_, let until): self = .transient(words, until: until)
    case .refused, .sinceRefused, .clock, .locked: self = .refused(words, until: answer.retryAfter)
    }
  }
}
