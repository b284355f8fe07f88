import Accounts
import Dispatch
import Folders
import Formats
import HomelineOAuth
import Platform
import SandboxSupport
import Scheduling
import Service
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

@Suite("An X account") struct XAccountManagerTests {
  @Test("an OAuth 1.0a login fills the timeline, and a refresh adds each new post only once")
  func loginAndRefresh() async throws {
    let home = try XHome(keepPosts: 100)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let first = try home.published()
    #expect(first.head.user?.screenName == "mira_demo" && first.head.problem == nil && first.head.gaps == [])
    #expect(first.posts.count == 100)
    #expect(home.sandbox.delivered.pages == 1)

    let before = home.sandbox.delivered
    home.advance(900)
    let report = try #require(await home.refresh(accountManager))
    guard case .refreshed(let new) = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect((15...45).contains(new))
    let second = try home.published()
    #expect(second.posts.count == 100 && second.head.gaps == [])
    #expect(Array(second.posts[new...].map(\.id)) == Array(first.posts.map(\.id).prefix(100 - new)))
    #expect(home.sandbox.delivered.pages == before.pages + 1, "one response proves that no post is missing")

    let after = home.sandbox.delivered
    _ = await home.refresh(accountManager)
    #expect(home.sandbox.delivered.posts == after.posts, "a response without posts costs nothing")
    #expect(try home.published().posts == second.posts)
  }

  @Test("an edited X post is published only once, in its newest version")
  func edits() async throws {
    let home = try XHome(keepPosts: 100)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let first = try home.published().posts
    home.sandbox.with { $0.quirks.edits = PostEdits(every: 2, after: .seconds(600)) }
    home.advance(600)
    #expect(try #require(await home.refresh(accountManager)).failure == nil)
    let posts = try home.published().posts
    let edited = posts.filter { $0.text.hasPrefix("Edited: ") }
    let known = Set(first.map(\.createdAt))
    #expect(edited.contains { known.contains($0.createdAt) }, "a known post has its new text")
    #expect(Set(posts.map(\.createdAt)).count == posts.count, "no post is shown in two versions")
    #expect(try home.published().head.gaps == [])
  }

  @Test("after an absence of more than a page, no post is missing and no page is requested twice")
  func pause() async throws {
    let home = try XHome(keepPosts: 400)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let first = try home.published().posts
    #expect(first.count == 400)
    let before = home.sandbox.delivered.pages
    home.advance(3 * 3600)
    let report = try #require(await home.refresh(accountManager))
    guard case .refreshed(let new) = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    let file = try home.published()
    #expect(file.head.gaps == [] && (250...290).contains(new))
    #expect(Array(file.posts[new...].map(\.id)) == Array(first.map(\.id).prefix(400 - new)))
    #expect(home.sandbox.delivered.pages - before == 3)
  }

  @Test("a logout from X revokes the token")
  func logout() async throws {
    let home = try XHome()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let report = await accountManager.logOut(home.account)
    guard case .success(.revoked) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(!File.exists(home.files.token))
  }

  @Test("a limit of one request in 15 minutes is enough for a login and a refresh")
  func oneRequest() async throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1
    let home = try XHome(policy: policy)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    #expect(try home.published().posts.count >= 50)
    guard case .notSent(_, .held(let until))? = await home.refresh(accountManager)?.outcome else {
      Issue.record("not limited")
      return
    }
    home.now.withLock { $0 = until }
    #expect(try #require(await home.refresh(accountManager)).failure == nil)
    #expect(try home.published().head.gaps == [])
  }

  @Test(
    "without credit, the posts remain, the file reports the provider's pause, and a top-up makes refreshes resume"
  )
  func credit() async throws {
    let home = try XHome()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let posts = try home.published().posts
    home.sandbox.with { $0.quirks.credit = 0 }
    home.advance(900)
    let report = try #require(await home.refresh(accountManager))
    #expect(report.failure?.message.contains("add credit") == true)
    let file = try home.published()
    #expect(file.head.problem?.code == .paused && file.posts == posts)
    let retryAt = try #require(file.head.problem?.retryAt)
    #expect(retryAt - home.now.withLock { $0 } > .seconds(3590))
    home.sandbox.with { $0.quirks.credit = nil }
    home.advance(3600)
    #expect(try #require(await home.refresh(accountManager)).failure == nil)
    #expect(try home.published().head.problem == nil)
  }

  @Test("an outage of users/me does not lose a login's token, because the token response contains the user")
  func outageAtLogin() async throws {
    let home = try XHome()
    home.sandbox.withFaults { $0.add(.unauthorized, to: .usersMe, times: 3) }
    try await home.login(home.accountManager()).get()
    #expect(try home.storage.tokens(of: home.account.name).read()?.identity.user.screenName == "mira_demo")
    #expect(try home.published().posts.count >= 50)
  }

  @Test("an outage of the timeline does not require a new login")
  func outage() async throws {
    let home = try XHome()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    home.sandbox.withFaults { $0.add(.unauthorized, to: .reverseChronological) }
    home.advance(900)
    _ = await home.refresh(accountManager)
    #expect(try home.published().head.problem?.code == .provider)
    #expect(try accountManager.nextRefresh(of: home.account) != nil)
    #expect(try #require(await home.refresh(accountManager)).failure == nil)
  }

  @Test(
    "the first fetch stays within its limit even if more posts are kept, and older posts are never bought later")
  func firstFill() async throws {
    let home = try XHome(keepPosts: 800, firstFill: 50)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    #expect(try home.published().posts.count == 50)
    let oldest = try home.published().posts.last?.createdAt
    for _ in 0..<3 {
      home.advance(900)
      #expect(try #require(await home.refresh(accountManager)).failure == nil)
    }
    #expect(try home.published().posts.last?.createdAt == oldest)
    #expect(home.sandbox.delivered.pages == 4)
  }

  @Test(
    "the daily post limit stops requests before they are sent, even in the next process, until the next day")
  func budget() async throws {
    let home = try XHome(keepPosts: 800, firstFill: 20, budget: Budget(postsPerDay: 60))
    home.now.withLock { $0 = Timestamp(rfc3339: "2026-11-20T01:00:00Z")! }
    try await home.login(home.accountManager()).get()
    #expect(home.sandbox.delivered.posts >= 20)
    var last: RefreshReport?
    for _ in 0..<12 {
      home.advance(900)
      last = await home.refresh(home.accountManager())
    }
    #expect(try home.spent().countedPosts <= 60, "each post is counted once a day")
    let pages = home.sandbox.delivered.pages
    guard case .failed(let problem, _)? = last?.outcome, problem.code == .budget else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(problem.retryAt == Timestamp(rfc3339: "2026-11-21T00:00:00Z"))
    #expect(last?.failure?.kind == .tryAgain(at: problem.retryAt))
    #expect(try home.published().head.problem?.code == .budget)
    _ = await home.refresh(home.accountManager())
    #expect(home.sandbox.delivered.pages == pages, "no request was sent")
    home.now.withLock { $0 = Timestamp(rfc3339: "2026-11-21T00:00:01Z")! }
    #expect(try #require(await home.refresh(home.accountManager())).failure == nil)
    let spent = try home.spent()
    #expect(spent.requests >= 1 && (1...60).contains(spent.countedPosts))
    #expect(try home.published().head.problem == nil)
  }
}
