internal import HomelineOAuth
internal import JSON

/// What Weibo says of a token: the only proof of whose it is, since the `uid` beside a token is not to be relied on.
struct WeiboTokenInfo {
  let userID: String
  /// Whether there are no seconds left; they go on below 0.
  let hasExpired: Bool

  /// Takes the object; `nil` when it names no user.
  init?(_ cursor: inout JSONCursor) throws {
    var userID: String?
    var secondsLeft: Int64?
    try cursor.members { cursor, name in
      switch name {
      case "uid": userID = try cursor.lenientID() ?? userID
      // Without an `s`, unlike the member of a token's answer.
      case "expire_in": secondsLeft = try cursor.lenientID().flatMap { Int64($0) } ?? secondsLeft
      default: try cursor.skip()
      }
    }
    guard let userID, DecimalID.isDecimal(userID) else { return nil }
    self.userID = userID
    hasExpired = secondsLeft.map { $0 <= 0 } ?? false
  }
}

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
