internal import Storage
internal import Time
internal import Timeline

/// The columns of the single row of `state`, which contains the state of the account and of its home timeline, in the order of reading and writing.
extension AccountState {
  static let columns = [
    "server", "user_id", "user_screen_name", "user_name", "user_avatar_url", "refreshed_at", "next_refresh_at",
    "stale_since", "problem_code", "problem_message", "problem_retry_at", "entity_tag", "rate_limit", "rate_remaining",
    "rate_reset", "asked_at", "failures", "read_key", "read_id", "keeps_from", "usual_posts",
  ]

  static let select = "SELECT \(columns.joined(separator: ", ")) FROM state WHERE row = 1"
  static let update = "UPDATE state SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE row = 1"

  /// One value for each column.
  var values: [SQLiteValue] {
    let home = self[.home]
    return [
      SQLiteValue(identity?.server), SQLiteValue(identity?.user.id), SQLiteValue(identity?.user.screenName),
      SQLiteValue(identity?.user.name), SQLiteValue(identity?.user.avatarURL),
      SQLiteValue(home.refreshedAt?.milliseconds), SQLiteValue(home.nextRefreshAt?.milliseconds),
      SQLiteValue(home.staleSince?.milliseconds), SQLiteValue(home.problem?.code.rawValue),
      SQLiteValue(home.problem?.message),
      SQLiteValue(home.problem?.retryAt?.milliseconds), SQLiteValue(home.entityTag),
      SQLiteValue(rateLimit?.limit.map(Int64.init)), SQLiteValue(rateLimit.map { Int64($0.remaining) }),
      SQLiteValue(rateLimit?.reset.milliseconds),
      SQLiteValue(askedAt?.milliseconds), SQLiteValue(Int64(home.failures)),
      SQLiteValue(home.readUpTo?.key.text), SQLiteValue(home.readUpTo?.id.text), SQLiteValue(keepsFrom?.milliseconds),
      SQLiteValue(usualPosts.map(Int64.init)),
    ]
  }

  /// Reads a row with all columns selected.
  init(_ row: borrowing SQLiteRow) {
    self.init()
    if let server = row.textOrNull(0), let userID = row.textOrNull(1) {
      let user = User(id: userID, screenName: row.text(2), name: row.text(3), avatarURL: row.textOrNull(4))
      identity = AccountIdentity(server: server, user: user)
    }
    var home = TimelineState()
    home.refreshedAt = row.timeOrNull(5)
    home.nextRefreshAt = row.timeOrNull(6)
    home.staleSince = row.timeOrNull(7)
    if let code = row.textOrNull(8) {
      // A code added by a later version is read as a provider failure.
      home.problem = Problem(
        code: Problem.Code(rawValue: code) ?? .provider, message: row.text(9), retryAt: row.timeOrNull(10))
    }
    home.entityTag = row.textOrNull(11)
    if let remaining = row.amountOrNull(13), let reset = row.timeOrNull(14) {
      rateLimit = RateLimit(limit: row.amountOrNull(12), remaining: remaining, reset: reset)
    }
    askedAt = row.timeOrNull(15)
    home.failures = row.amount(16)
    if let key = row.textOrNull(17), let id = row.textOrNull(18) {
      home.readUpTo = PostPosition(id: PostID(id), key: PostKey(key))
    }
    self[.home] = home
    keepsFrom = row.timeOrNull(19)
    usualPosts = row.amountOrNull(20)
  }
}

/// The states of timelines other than home.
extension AccountState {
  private static let selectKindLimits = "SELECT kind, rate_limit, rate_remaining, rate_reset FROM kind_limits"

  /// Adds the states of the timelines other than home, and the rate limits of their kinds.
  mutating func addOthers(from connection: SQLiteConnection) throws(StorageError) {
    for (name, other) in try TimelineState.others(in: connection) { self[name] = other }
    var limits: [TimelineName.Kind: RateLimit] = [:]
    try connection.run(Self.selectKindLimits) { row throws(StorageError) in
      guard let kind = TimelineName.Kind(rawValue: row.text(0)), let reset = row.timeOrNull(3) else { return }
      limits[kind] = RateLimit(limit: row.amountOrNull(1), remaining: row.amount(2), reset: reset)
    }
    kindRateLimits = limits
  }
}
