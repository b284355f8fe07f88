internal import CivilTime
internal import HomelineOAuth

extension Verdict {
  /// Judges an answer; `nil` when it holds no refusal.
  init?(_ answer: ProviderAnswer) {
    let challenges = answer.header("www-authenticate").map { [$0] } ?? []
    let words = Answer(status: answer.status, challenges: challenges, body: answer.body)
    guard let refusal = ProviderRefusal(words, expecting: "JSON") else { return nil }
    self.init(refusal, in: answer)
  }

  private init(_ refusal: ProviderRefusal, in answer: ProviderAnswer) {
    let words = refusal.description
    switch refusal.kind {
    case .needsLogin: self = .needsLogin(words)
    case .limit: self = .rateLimited(words, until: Self.limitEnd(of: answer))
    case .closed: self = .closed(words)
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

  /// Who wants money (402) is not asked again for an hour; nothing in the answer would say when.
  private static func limitEnd(of answer: ProviderAnswer) -> Timestamp {
    answer.status == 402 ? answer.retryAfter ?? answer.receivedAt + .seconds(3600) : answer.limitEnd
  }
}
