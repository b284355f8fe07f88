internal import Settings
package import Time
package import Timeline

/// The state of an account, except its posts: its user, its rate limits, and the state of each of its timelines.
package struct AccountState: Sendable, Hashable {
  /// The user whose timelines these are; `nil` before the first login.
  package var identity: AccountIdentity?
  package var rateLimit: RateLimit?
  /// The rate limits of the kinds of timelines, other than home, whose requests the provider counts by themselves.
  package var kindRateLimits: [TimelineName.Kind: RateLimit] = [:]
  /// The time when the last request ended, with or without a response. All other times in this state were computed at that time.
  package var askedAt: Timestamp?
  /// Posts published before this time are ignored: they were purged or are older than the retention period.
  package var keepsFrom: Timestamp?
  /// The number of posts to publish if the configuration does not say; `nil` for this version's default. An earlier version's account has
  /// that version's default.
  package var usualPosts: Int?
  private var home: TimelineState
  /// The states of the other timelines, without those that have no state yet.
  private var others: [TimelineName: TimelineState]

  package init(
    identity: AccountIdentity? = nil, rateLimit: RateLimit? = nil, askedAt: Timestamp? = nil,
    keepsFrom: Timestamp? = nil, usualPosts: Int? = nil, timelines: [TimelineName: TimelineState] = [:]
  ) {
    self.identity = identity
    self.rateLimit = rateLimit
    self.askedAt = askedAt
    self.keepsFrom = keepsFrom
    self.usualPosts = usualPosts
    home = timelines[.home] ?? TimelineState()
    others = timelines.filter { $0.key != .home && $0.value != TimelineState() }
  }

  /// The state of a timeline.
  package subscript(timeline: TimelineName) -> TimelineState {
    get { timeline == .home ? home : others[timeline] ?? TimelineState() }
    set {
      if timeline == .home {
        home = newValue
      } else {
        others[timeline] = newValue == TimelineState() ? nil : newValue
      }
    }
  }

  /// Whether the provider no longer accepts the token, or there is no token. Another timeline may need a login only for a missing scope.
  package var needsLogin: Bool { home.problem?.code == .notAuthorised }

  /// The timelines other than home that have a state.
  package var otherTimelines: Set<TimelineName> { Set(others.keys) }

  /// The same state with the home timeline alone.
  package var withoutOthers: AccountState {
    var state = self
    state.kindRateLimits = [:]
    state.others = [:]
    return state
  }

  /// Returns the earliest time of the next refresh of one of these timelines; `nil` if none is scheduled.
  package func earliestRefresh(of timelines: some Sequence<TimelineName>) -> Timestamp? {
    timelines.compactMap { self[$0].nextRefreshAt }.min()
  }

  /// Returns the maximum number of posts in the account's published file.
  /// - Parameter setting: the number in the configuration; `nil` if it has none.
  package func publishedPosts(_ setting: Int?) -> Int { setting ?? usualPosts ?? ProgramDefaults.keepPosts }

  /// Copies the outcome of a request to the provider, without the user's settings.
  package mutating func copyOutcome(of other: AccountState) {
    copyLimit(of: other)
    forEachTimeline(with: other) { $0.copyOutcome(of: $1) }
  }

  /// Returns whether the states differ only in refresh times, rate limits and the entity tags, as they do after a refresh without new posts.
  package func differsOnlyInRefreshing(from other: AccountState) -> Bool {
    var same = other
    same.copyLimit(of: self)
    same.forEachTimeline(with: self) { $0.copyRefreshing(of: $1) }
    return same == self
  }

  /// Copies the times of the next requests and the values that determine them.
  package mutating func copyPacing(of other: AccountState) {
    copyLimit(of: other)
    forEachTimeline(with: other) { $0.copyPacing(of: $1) }
  }

  private mutating func copyLimit(of other: AccountState) {
    rateLimit = other.rateLimit
    kindRateLimits = other.kindRateLimits
    askedAt = other.askedAt
  }

  /// Changes the state of each timeline that has a state here or there.
  /// - Parameter body: takes the state here and the one there.
  private mutating func forEachTimeline(with other: AccountState, _ body: (inout TimelineState, TimelineState) -> Void)
  {
    body(&home, other.home)
    for timeline in otherTimelines.union(other.otherTimelines) { body(&self[timeline], other[timeline]) }
  }
}
