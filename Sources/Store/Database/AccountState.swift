package import CivilTime
package import Timeline

/// What an account's database knows besides posts: whose it is, when it was and will be asked, and what went wrong.
package struct AccountState: Sendable, Hashable {
  /// Whose timeline this is; `nil` before the first login.
  package var identity: AccountIdentity?
  /// When the provider last answered with the timeline.
  package var refreshedAt: Timestamp?
  package var nextRefreshAt: Timestamp?
  /// Since when the timeline is older than it should be; `nil` while it is fresh.
  package var staleSince: Timestamp?
  /// Why it is stale.
  package var problem: Problem?
  /// The entity tag of the newest page (RFC 9110 §8.8.3), as received.
  package var entityTag: String?
  package var rateLimit: RateLimit?
  /// When a request was last answered, or found nobody: what the other moments of this state were told relative to.
  package var askedAt: Timestamp?
  /// How many attempts have failed one after the other, for the growing pauses between them.
  package var failures: Int
  /// Up to which post everything is read.
  package var readUpTo: PostMark?
  /// What was published before this moment is not taken any more: it was removed, or is too old to be kept.
  package var keepsFrom: Timestamp?

  package init(
    identity: AccountIdentity? = nil, refreshedAt: Timestamp? = nil, nextRefreshAt: Timestamp? = nil,
    staleSince: Timestamp? = nil, problem: Problem? = nil, entityTag: String? = nil, rateLimit: RateLimit? = nil,
    askedAt: Timestamp? = nil, failures: Int = 0, readUpTo: PostMark? = nil, keepsFrom: Timestamp? = nil
  ) {
    self.identity = identity
    self.refreshedAt = refreshedAt
    self.nextRefreshAt = nextRefreshAt
    self.staleSince = staleSince
    self.problem = problem
    self.entityTag = entityTag
    self.rateLimit = rateLimit
    self.askedAt = askedAt
    self.failures = failures
    self.readUpTo = readUpTo
    self.keepsFrom = keepsFrom
  }

  /// Takes over what came of asking the provider, and leaves what the user has set.
  package mutating func takeOutcome(of other: AccountState) {
    refreshedAt = other.refreshedAt
    staleSince = other.staleSince
    problem = other.problem
    entityTag = other.entityTag
    takePacing(of: other)
  }

  /// Whether nothing is different but when the provider was asked, when it will be, and what it said of limits: as after each refresh that
  /// brings nothing new.
  func differsOnlyInRefreshing(from other: AccountState) -> Bool {
    var same = other
    same.refreshedAt = refreshedAt
    same.entityTag = entityTag
    let failures = same.failures
    same.takePacing(of: self)
    return failures == same.failures && same == self
  }

  /// Takes over when to ask next, and what that follows from.
  package mutating func takePacing(of other: AccountState) {
    nextRefreshAt = other.nextRefreshAt
    rateLimit = other.rateLimit
    askedAt = other.askedAt
    failures = other.failures
  }
}

/// The columns of the one row of `state`, in the order in which both directions take them.
extension AccountState {
  static let columns = [
    "server", "user_id", "user_screen_name", "user_name", "user_avatar_url", "refreshed_at", "next_refresh_at",
    "stale_since", "problem_code", "problem_message", "problem_retry_at", "entity_tag", "rate_limit", "rate_remaining",
    "rate_reset", "asked_at", "failures", "read_key", "read_id", "keeps_from",
  ]

  static let select = "SELECT \(columns.joined(separator: ", ")) FROM state WHERE row = 1"
  static let update = "UPDATE state SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE row = 1"

  /// One value for each column.
  var values: [SQLiteValue] {
    [
      SQLiteValue(identity?.server), SQLiteValue(identity?.user.id), SQLiteValue(identity?.user.screenName),
      SQLiteValue(identity?.user.name), SQLiteValue(identity?.user.avatarURL),
      SQLiteValue(refreshedAt?.milliseconds), SQLiteValue(nextRefreshAt?.milliseconds),
      SQLiteValue(staleSince?.milliseconds), SQLiteValue(problem?.code.rawValue), SQLiteValue(problem?.message),
      SQLiteValue(problem?.retryAt?.milliseconds), SQLiteValue(entityTag),
      SQLiteValue(rateLimit?.limit.map(Int64.init)), SQLiteValue(rateLimit.map { Int64($0.remaining) }),
      SQLiteValue(rateLimit?.reset.milliseconds),
      SQLiteValue(askedAt?.milliseconds), SQLiteValue(Int64(failures)),
      SQLiteValue(readUpTo?.key.text), SQLiteValue(readUpTo?.id.text), SQLiteValue(keepsFrom?.milliseconds),
    ]
  }

  /// Reads a row that selected all columns.
  init(_ row: borrowing SQLiteRow) {
    self.init()
    if let server = row.textOrNull(0), let userID = row.textOrNull(1) {
      let user = User(id: userID, screenName: row.text(2), name: row.text(3), avatarURL: row.textOrNull(4))
      identity = AccountIdentity(server: server, user: user)
    }
    refreshedAt = row.timestamp(5)
    nextRefreshAt = row.timestamp(6)
    staleSince = row.timestamp(7)
    if let code = row.textOrNull(8) {
      // A code of a later version of the same schema still is a failure of the provider's side to its reader.
      problem = Problem(
        code: Problem.Code(rawValue: code) ?? .provider, message: row.text(9), retryAt: row.timestamp(10))
    }
    entityTag = row.textOrNull(11)
    if let remaining = row.integerOrNull(13), let reset = row.timestamp(14) {
      rateLimit = RateLimit(limit: row.integerOrNull(12).map(Int.init), remaining: Int(remaining), reset: reset)
    }
    askedAt = row.timestamp(15)
    failures = Int(row.integerOrNull(16) ?? 0)
    if let key = row.textOrNull(17), let id = row.textOrNull(18) {
      readUpTo = PostMark(id: PostID(id), key: PostKey(key))
    }
    keepsFrom = row.timestamp(19)
  }
}

extension SQLiteRow {
  fileprivate func timestamp(_ column: Int32) -> Timestamp? {
    integerOrNull(column).map { Timestamp(milliseconds: $0) }
  }
}
