import Accounts
import Dispatch
import Formats
import HTTP
import Platform
import Posting
import SandboxSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox
@testable import Service

/// Posts whose outcome is in doubt: what homeline asks the server, how often, and what it concludes.
@Suite("Posts in doubt", .timeLimit(.minutes(2))) struct OutboxDoubtTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  private static let posting = "/api/v1/statuses"
  private static let own = "/api/v1/accounts/\(SandboxUser.id)/statuses"
  private static let home = "/api/v1/timelines/home"

  private static let stranger = response(
    #"{"id":"2990","created_at":"2026-11-26T10:00:00.000Z","content":"<p>Something else.</p>","visibility":"public","#
      + #""url":"https://social.example/@kim/2990","in_reply_to_id":null,"account":{"id":"2","acct":"kim"}}"#)
  private static let errorPage = Response(
    status: .internalServerError, type: "text/html", text: "<!DOCTYPE html><title>Something went wrong</title>")

  private static func response(_ body: String) -> Response { Response(json: Array(body.utf8)) }

  private func fixture(_ flavour: MastodonFlavour) throws -> Fixture {
    try Fixture(flavour, scopes: ["write:statuses"])
  }

  private func add(_ fault: SandboxFault, to path: String = posting, times: Int = 1, _ fixture: Fixture) {
    fixture.play { $0.faults.add(fault, to: path, times: times) }
  }

  /// The number of requests for each path since the last call, without those for the server's description.
  private func requests(_ fixture: Fixture) -> [String] {
    let paths = fixture.visits.map(\.path).filter { !$0.hasSuffix("/instance") }
    fixture.server.with { $0.forgetVisits() }
    return paths
  }

  private func intents(_ fixture: Fixture) throws -> [PostIntent] {
    try fixture.accountManager.outboxes(of: [fixture.account])[0].intents
  }

  /// Sends a post, and waits until it has been sent.
  private func post(
    _ text: String, on fixture: Fixture, _ visibility: PostVisibility? = .everyone, replyTo: ReplyTarget? = nil
  ) async throws -> IntentID {
    let known = Set(try intents(fixture).map(\.id))
    _ = try fixture.accountManager.post(
      PostDraft(text: text, visibility: visibility, replyTo: replyTo), attaching: [], to: fixture.account,
      waiter: PostWaiter(progress: { _ in }, completion: { _ in }))
    var id: IntentID?
    let isSent = try await eventually {
      guard let intent = try intents(fixture).first(where: { !known.contains($0.id) }) else { return false }
      id = intent.id
      return switch intent.state {
      case .sending(let attempt): attempt.reason != nil
      case .queued: replyTo != nil
      default: true
      }
    }
    #expect(isSent)
    return try #require(id)
  }

  /// Advances the clock, and waits until a post has the expected state.
  private func wait(
    _ seconds: Int64, for id: IntentID, _ fixture: Fixture, until isReached: (PostIntent.State) -> Bool
  ) async throws {
    fixture.time.pass(.seconds(seconds))
    let account = try fixture.accountManager.account(fixture.account)
    account.queue.sync { account.outbox.resume() }
    let isDone = try await eventually {
      try intents(fixture).contains { $0.id == id && isReached($0.state) }
    }
    let states = try intents(fixture).map(\.state)
    #expect(isDone, "\(states)")
  }

  private func isPosted(_ state: PostIntent.State) -> Bool {
    guard case .posted(let post, _, let differences) = state else { return false }
    return post.url?.contains("mira_demo") == true && differences.isEmpty
  }

  private func isUnknown(_ state: PostIntent.State) -> Bool { if case .unknown = state { true } else { false } }

  private func published(_ fixture: Fixture) -> [String] {
    fixture.play { $0.provider.api.publications.posts.map { $0.pieces.map(\.text).joined() } }
  }

  /// The texts of the user's posts in the archive, newest first.
  private func stored(_ fixture: Fixture) throws -> [String] {
    try fixture.published().posts.filter { $0.author.id == SandboxUser.id || $0.author.id == "2" }.map(\.text)
  }

  @Test("after a lost response and errors for the repeated key, the user's posts show the post; others are not delayed")
  func failingKey() async throws {
    let fixture = try fixture(.mastodon)
    add(.drop(worked: true), fixture)
    let first = try await post("Good morning.", on: fixture)
    let second = try await post("Second post.", on: fixture)
    #expect(
      try intents(fixture).contains { $0.id == second && isPosted($0.state) }, "the second post is sent immediately")
    #expect(requests(fixture) == [Self.own, Self.posting, Self.own, Self.posting])

    add(.respond(Self.errorPage), times: 100, fixture)
    // The post is not visible at first.
    add(.respond(Self.response("[]")), to: Self.own, fixture)
    // The state before the response arrives still has the reason of the first attempt.
    try await wait(5, for: first, fixture) { state in
      if case .sending(let attempt) = state { attempt.reason?.contains("500") == true } else { false }
    }
    try await wait(15, for: first, fixture, until: isPosted)
    #expect(requests(fixture) == [Self.own, Self.posting, Self.own])
    #expect(published(fixture) == ["Good morning.", "Second post."])
    await fixture.close()
  }

  @Test(
    "after a lost response, homeline looks for the post once and does not post again",
    arguments: [MastodonFlavour.mastodon, .goToSocial])
  func lookedForFirst(flavour: MastodonFlavour) async throws {
    let fixture = try fixture(flavour)
    add(.drop(worked: true), fixture)
    let id = try await post("Good morning.", on: fixture)
    try await wait(5, for: id, fixture, until: isPosted)
    #expect(requests(fixture) == [Self.own, Self.posting, Self.own])
    #expect(published(fixture) == ["Good morning."])
    await fixture.close()
  }

  @Test(
    "another user's post in the response is a lost response, and reaches neither the archive nor the outbox",
    arguments: [MastodonFlavour.mastodon, .goToSocial], [true, false])
  func strangersPost(flavour: MastodonFlavour, isProcessed: Bool) async throws {
    let fixture = try fixture(flavour)
    #expect(try await fixture.refresh().failure == nil)
    _ = requests(fixture)
    let stranger = Self.stranger
    add(isProcessed ? .change { $0 = stranger } : .respond(stranger), fixture)
    let id = try await post("Good morning.", on: fixture)
    let isKnown = isProcessed || flavour == .mastodon
    try await wait(5, for: id, fixture, until: isKnown ? isPosted : isUnknown)
    let again = flavour == .mastodon && !isProcessed ? [Self.posting] : []
    #expect(requests(fixture) == [Self.own, Self.posting, Self.own] + again)
    #expect(published(fixture) == (isKnown ? ["Good morning."] : []))
    #expect(try !stored(fixture).contains("Something else."))
    #expect(try await fixture.refresh().failure == nil)
    #expect(try stored(fixture) == (isKnown ? ["Good morning."] : []))
    await fixture.close()
  }

  @Test("an id in the response is looked up: the post counts if it is the user's and has the text")
  func bareID() async throws {
    let fixture = try fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    let strange = try #require(try fixture.published().posts.first { $0.repostedBy == nil }?.id.text)
    _ = requests(fixture)
    add(
      .change { response in
        let text = String(decoding: response.body, as: UTF8.self)
        let id = text.firstRange(of: #""id":""#).map { text[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
        response.body = Array(#"{"id":"\#(id)"}"#.utf8)
      }, fixture)
    let first = try await post("Good morning.", on: fixture)
    try await wait(5, for: first, fixture, until: isPosted)
    let asked = requests(fixture)
    #expect(asked.count == 3 && asked.last?.hasPrefix(Self.posting + "/") == true, "\(asked)")

    add(.respond(Self.response(#"{"id":"\#(strange)"}"#)), fixture)
    let second = try await post("Second post.", on: fixture)
    try await wait(5, for: second, fixture, until: isPosted)
    #expect(
      requests(fixture) == [Self.own, Self.posting, "\(Self.posting)/\(strange)", Self.own, Self.posting])
    #expect(published(fixture) == ["Good morning.", "Second post."])
    await fixture.close()
  }

  @Test("a post for followers, which snac leaves out of the user's posts, is found in the home timeline")
  func followersOnly() async throws {
    let fixture = try fixture(.snac)
    // The user has published the same text before.
    let earlier = try await post("Good morning.", on: fixture, .followers)
    #expect(try intents(fixture).contains { $0.id == earlier && isPosted($0.state) })
    fixture.time.pass(.seconds(3600))
    add(.drop(worked: true), fixture)
    _ = requests(fixture)
    let id = try await post("Good morning.", on: fixture, .followers)
    try await wait(5, for: id, fixture, until: isPosted)
    #expect(requests(fixture) == [Self.own, Self.posting, Self.own, Self.home])
    #expect(published(fixture).count == 2)

    add(.drop(worked: false), fixture)
    let lost = try await post("Good night.", on: fixture, .followers)
    try await wait(5, for: lost, fixture, until: isUnknown)
    #expect(published(fixture).count == 2)
    await fixture.close()
  }

  @Test("a post with an unknown outcome becomes posted once a refresh shows it, and its replies are sent")
  func recognised() async throws {
    let fixture = try fixture(.goToSocial)
    #expect(try await fixture.refresh().failure == nil)
    add(.drop(worked: true), fixture)
    let id = try await post("Good morning.", on: fixture)
    add(.respond(Self.response("[]")), to: Self.own, fixture)
    try await wait(5, for: id, fixture, until: isUnknown)
    let reply = try await post("And good night.", on: fixture, replyTo: .intent(id))
    #expect(try await fixture.refresh().failure == nil)
    try await wait(0, for: reply, fixture, until: isPosted)
    #expect(try intents(fixture).allSatisfy { isPosted($0.state) })
    #expect(published(fixture) == ["Good morning.", "And good night."])
    #expect(fixture.lines.withLock { $0.contains { $0.contains("\(id) was posted as") } })
    await fixture.close()
  }

  @Test("an earlier post with the same text, or another user's, does not end the doubt about a post")
  func notRecognised() async throws {
    let fixture = try fixture(.goToSocial)
    #expect(try await fixture.refresh().failure == nil)
    let text = try #require(try fixture.published().posts.first { $0.repostedBy == nil }?.text)
    add(.drop(worked: false), times: 2, fixture)
    let known = try await post("Good morning.", on: fixture)
    try await wait(5, for: known, fixture, until: isUnknown)
    let strange = try await post(text, on: fixture)
    try await wait(5, for: strange, fixture, until: isUnknown)
    fixture.time.pass(.seconds(60))
    let posted = try await post("Good morning.", on: fixture)
    #expect(try intents(fixture).contains { $0.id == posted && isPosted($0.state) })
    #expect(try await fixture.refresh().failure == nil)
    #expect(try intents(fixture).filter { isUnknown($0.state) }.map(\.id) == [known, strange])
    await fixture.close()
  }
}
