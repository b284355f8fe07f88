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
