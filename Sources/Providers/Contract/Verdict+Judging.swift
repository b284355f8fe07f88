internal import CivilTime
internal import HomelineOAuth
internal import Timeline

extension Verdict {
  /// Judges an answer; `nil` when it holds no refusal.
  init?(_ answer: ProviderAnswer) {
    guard let refusal = ProviderRefusal(Answer(answer), expecting: "JSON") else { return nil }
    self.init(refusal, in: answer)
  }

  private init(_ refusal: ProviderRefusal, in answer: ProviderAnswer) {
    let words = refusal.description
    switch refusal.kind {
    case .needsLogin: self = .needsLogin(words)
    case .limit: self = .rateLimited(words, until: answer.limitEnd)
    case .paused: self = .paused(words, until: Self.pauseEnd(of: answer))
    case .closed: self = .closed(words)
    case .locked: self = .locked(words)
    case .transient: self = .transient(words, until: answer.retryAfter)
    case .refused where refusal.code == 44: self = .sinceRefused(words)
    case .refused: self = .refused(words)
    case .clock:
      let told = refusal.serverTime.map { Timestamp(seconds: $0) }
      self = .clock(words, serverTime: answer.serverTime ?? told)
    case .configuration:
      // Servers also say 'could not authenticate' when it is the time that they do not like.
      if let clock = Self.wrongClock(in: answer, words) { self = clock } else { self = .configuration(words) }
    }
  }

  private static func wrongClock(in answer: ProviderAnswer, _ words: String) -> Verdict? {
    guard answer.status == 401, let serverTime = answer.serverTime else { return nil }
    let difference = serverTime - answer.signedAt
    guard max(difference, .zero - difference) > .seconds(Int64(ClockOffset.tolerance)) else { return nil }
    return .clock(words, serverTime: serverTime)
  }

  /// How long who wants money is left alone at least: nothing in the answer says when there will be some.
  private static let pause = Duration.seconds(3600)

  private static func pauseEnd(of answer: ProviderAnswer) -> Timestamp {
    max(answer.retryAfter ?? answer.receivedAt, answer.receivedAt + pause)
  }
}
