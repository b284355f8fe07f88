import Accounts
import HTTP
import Platform
import Posting
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox
@testable import Service

/// Posts that are sent twice with the same id, as by a form of the web page after Back or a double click.
@Suite("Posts sent twice", .timeLimit(.minutes(2))) struct RepeatedPostTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  private static let id = IntentID(bits: 0x0123_4567_89ab_cdef)

  /// Sends a post.
  /// - Returns: what its sender learns.
  private func post(
    _ text: String, attaching files: [AttachedFile] = [], as id: IntentID? = id, on fixture: Fixture
  ) throws -> Locked<Result<PostOutcome, OperationError>?> {
    let outcome = Locked<Result<PostOutcome, OperationError>?>(nil)
    _ = try fixture.accountManager.post(
      PostDraft(text: text, visibility: .everyone), attaching: files, as: id, to: fixture.account,
      waiter: PostWaiter(progress: { _ in }, completion: { result in outcome.withLock { $0 = result } }))
    return outcome
  }

  private func published(_ fixture: Fixture) -> [String] {
    fixture.play { $0.provider.api.publications.posts.map { $0.pieces.map(\.text).joined() } }
  }

  @Test("Two posts with the same id at once, and a later one, yield one post, and each sender learns its outcome")
  func sameID() async throws {
    let fixture = try Fixture(.mastodon, scopes: ["write:statuses"])
    let outcomes = [try post("Once.", on: fixture), try post("Once.", on: fixture)]
    #expect(try await eventually { outcomes.allSatisfy { $0.withLock { $0 != nil } } })
    // The file of a published post is gone.
    let later = try post("Once.", attaching: [AttachedFile(path: "/gone/1")], on: fixture)
    #expect(try await eventually { later.withLock { $0 != nil } })
    for outcome in outcomes + [later] {
      let intent = try #require(try outcome.withLock { $0 }?.get().intent)
      #expect(intent.id == Self.id && intent.isPosted)
    }
    #expect(published(fixture) == ["Once."])
    await fixture.close()
  }

  @Test("Posts with the same text but other ids, or without one, are different posts")
  func otherIDs() async throws {
    let fixture = try Fixture(.mastodon, scopes: ["write:statuses"])
    let outcomes = [
      try post("Again.", on: fixture), try post("Again.", as: IntentID(bits: 1), on: fixture),
      try post("Again.", as: nil, on: fixture), try post("Again.", as: nil, on: fixture),
    ]
    #expect(try await eventually { outcomes.allSatisfy { $0.withLock { $0 != nil } } })
    #expect(published(fixture) == Array(repeating: "Again.", count: 4))
    await fixture.close()
  }

  @Test("An id made from bits contains the lowest 50 of them")
  func bits() {
    #expect(IntentID(bits: 0) == IntentID("out-0000000000"))
    #expect(IntentID(bits: 1 << 49 | 31) == IntentID("out-z00000000g"))
    #expect(IntentID(bits: 1 << 50) == IntentID(bits: 0))
  }
}
