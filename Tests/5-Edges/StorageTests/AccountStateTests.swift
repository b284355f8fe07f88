import Storage
import Testing
import Time
import Timeline

@Suite("The state of an account and its timelines") struct AccountStateTests {
  private static let list = try! TimelineName("list:Friends")

  /// The state after a refresh of the home timeline and a failure of the list.
  private static let state = AccountState(
    rateLimit: RateLimit(limit: 15, remaining: 3, reset: noon), askedAt: noon,
    timelines: [
      .home: TimelineState(
        refreshedAt: noon, nextRefreshAt: noon + .seconds(90), entityTag: "\"1\"", readUpTo: entry(1001).mark),
      list: TimelineState(
        nextRefreshAt: noon + .seconds(15), staleSince: noon, problem: Problem(code: .network, message: "no route"),
        failures: 1, readUpTo: entry(1002).mark),
    ])

  @Test("a timeline without values has no state")
  func empty() {
    var state = AccountState()
    #expect(state[Self.list] == TimelineState())
    state[Self.list].failures = 1
    #expect(state != AccountState() && state[.home] == TimelineState())
    state[Self.list].failures = 0
    #expect(state == AccountState())
  }

  @Test("the outcome of requests is copied for every timeline, without the user's read positions")
  func outcome() {
    var state = AccountState(
      usualPosts: 800,
      timelines: [
        .home: TimelineState(failures: 7, readUpTo: entry(1009).mark), Self.list: TimelineState(refreshedAt: noon),
      ])
    state.copyOutcome(of: Self.state)
    var expected = Self.state
    expected.usualPosts = 800
    expected[.home].readUpTo = entry(1009).mark
    expected[Self.list].readUpTo = nil
    #expect(state == expected)
    state.copyOutcome(of: AccountState())
    #expect(
      state == AccountState(usualPosts: 800, timelines: [.home: TimelineState(readUpTo: entry(1009).mark)]))
  }

  @Test("a refresh without new posts changes only times, limits and entity tags, of whichever timeline")
  func refreshing() {
    var later = Self.state
    (later.askedAt, later.rateLimit) = (noon + .seconds(60), nil)
    (later[.home].refreshedAt, later[.home].nextRefreshAt) = (noon + .seconds(60), noon + .seconds(150))
    later[Self.list].entityTag = "\"2\""
    #expect(later.differsOnlyInRefreshing(from: Self.state) && later != Self.state)
    for change in [{ $0.failures = 2 }, { $0.problem = nil }, { $0.readUpTo = nil }] as [(inout TimelineState) -> Void]
    {
      var other = later
      change(&other[Self.list])
      #expect(!other.differsOnlyInRefreshing(from: Self.state))
    }
  }

  @Test("the next refresh is the earliest one of the given timelines, and the account needs a login only if home does")
  func account() {
    var state = Self.state
    let timelines = [TimelineName.home, Self.list]
    #expect(state.earliestRefresh(of: timelines) == noon + .seconds(15) && !state.needsLogin)
    #expect(state.earliestRefresh(of: [.home]) == state[.home].nextRefreshAt)
    state[Self.list].problem = Problem(code: .notAuthorised, message: "401")
    #expect(!state.needsLogin)
    state[.home].problem = Problem(code: .notAuthorised, message: "401")
    #expect(state.needsLogin)
    #expect(AccountState().earliestRefresh(of: timelines) == nil)
  }
}
