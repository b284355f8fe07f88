internal import CivilTime
internal import HomelineOAuth

extension Verdict {
  /// How long Weibo is left alone after a limit or a ban, since no answer of it says when that ends.
  private static let weiboPause = Duration.seconds(3600)

  /// Judges an answer of Weibo's API or of its token endpoint by `error_code`, whatever its status; `nil` when it holds no refusal.
  init?(weibo answer: ProviderAnswer) {
    let body = WeiboErrorBody(answer.body)
    let refusal = ProviderRefusal(Answer(answer, readsChallenges: false), expecting: "JSON")
    if let code = body.code {
      let said = refusal.flatMap { $0.isWordless ? nil : $0.message } ?? "error"
      self.init(code: code, said: said, in: answer)
    } else if let refusal {
      self.init(withoutCode: refusal, in: answer)
    } else if body.isUndone {
      self = .refused("Weibo says that it was not done.")
    } else if answer.body.isEmpty {
      self = .paused(
        "Weibo answers with nothing, as it does to applications that asked too often. It is asked again in an hour.",
        until: answer.receivedAt + Self.weiboPause)
    } else {
      return nil
    }
  }

  private init(code: Int, said: String, in answer: ProviderAnswer) {
    let advice = WeiboAdvice.of(code, status: answer.status)
    let words = "Weibo says: “\(said)” (code \(code)). \(advice.words)"
    switch advice.kind {
    case .needsLogin: self = .needsLogin(words)
    case .configuration: self = .configuration(words)
    case .limit: self = Self.limited(words, in: answer)
    case .closed: self = .closed(words)
    case .locked: self = .locked(words)
    case .transient: self = .transient(words, until: answer.retryAfter)
    case .paused, .clock, .refused: self = .refused(words)
    }
  }

  private static func limited(_ words: String, in answer: ProviderAnswer) -> Verdict {
    if let until = answer.retryAfter { return .rateLimited(words, until: until) }
    return .rateLimited(
      words + " It does not say when that is, so it is asked again in an hour.",
      until: answer.receivedAt + weiboPause)
  }

  /// What something in front of Weibo says, or Weibo without a number. Nothing is signed here, so neither keys nor clock can be
  /// guilty of a bare 401; and a token is not thrown away for words that do not name it.
  private init(withoutCode refusal: ProviderRefusal, in answer: ProviderAnswer) {
    switch refusal.kind {
    case .limit: self = Self.limited(refusal.description, in: answer)
    case .closed: self = .closed(refusal.description)
    case .locked: self = .locked(refusal.description)
    case .transient: self = .transient(refusal.description, until: answer.retryAfter)
    case .needsLogin, .configuration, .paused, .clock, .refused:
      let came = refusal.isWordless ? "sent \(refusal.message)" : "says: “\(refusal.message)”"
      self = .transient(
        "Weibo \(came) (status \(answer.status)), without an error code. It is tried again; if it stays so, log in again.",
        until: answer.retryAfter)
    }
  }
}
