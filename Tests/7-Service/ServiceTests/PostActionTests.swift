import Accounts
import Formats
import HTTP
import Posting
import SandboxSupport
import Testing
import Time
import Timeline

@testable import Sandbox
@testable import Service

/// Actions on posts: what homeline looks at before it sends them, and what it does if an answer is lost. The requests are counted.
@Suite(.timeLimit(.minutes(2))) struct PostActionTests {
  private typealias ServiceFixture = BearerFixture<MastodonSandbox>

  private static let scopes = [
    "read:accounts", "read:statuses", "write:statuses", "write:favourites", "write:bookmarks",
  ]
  private static let verbs: [PostAction.Kind: String] = [.repost: "reblog", .like: "favourite", .bookmark: "bookmark"]

  private func filled(_ flavour: MastodonFlavour) async throws -> ServiceFixture {
    let fixture = try ServiceFixture(flavour, keepPosts: 60, scopes: Self.scopes)
    #expect(try await fixture.refresh().failure == nil)
    fixture.server.with { $0.forgetVisits() }
    return fixture
  }

  /// Returns the id of another user's post in the timeline.
  private func otherPost(_ fixture: ServiceFixture) throws -> String {
    try #require(fixture.published().posts.first { $0.repostedBy == nil && $0.author.id != String(Author.mira.id) }).id
      .text
  }

  private func act(
    _ kind: PostAction.Kind, _ id: String, isUndone: Bool = false, _ fixture: ServiceFixture
  ) async throws -> Result<PostActionOutcome, OperationError> {
    let action = try #require(PostAction(kind, isUndone: isUndone))
    return await withCheckedContinuation { done in
      do throws(OperationError) {
        try fixture.accountManager.perform(action, on: id, as: fixture.account) { done.resume(returning: $0) }
      } catch { done.resume(returning: .failure(error)) }
    }
  }

  /// Returns the requests about posts since the last call, such as `GET /api/v1/statuses/7 200`.
  private func requests(_ fixture: ServiceFixture) -> [String] {
    fixture.server.with { watched in
      defer { watched.forgetVisits() }
      return watched.visits.filter { $0.path.hasPrefix("/api/v1/statuses/") }.map {
        "\($0.method.name) \($0.path.dropFirst("/api/v1/statuses/".count)) \($0.status)"
      }
    }
  }

  private func publish(_ text: String, _ fixture: ServiceFixture) async throws -> String {
    let result: Result<PostOutcome, OperationError> = await withCheckedContinuation { done in
      let waiter = PostWaiter(progress: { _ in }, completion: { done.resume(returning: $0) })
      do throws(OperationError) {
        _ = try fixture.accountManager.post(PostDraft(text: text), attaching: [], to: fixture.account, waiter: waiter)
      } catch { done.resume(returning: .failure(error)) }
    }
    guard case .posted(let post, _, _) = try result.get().intent.state else {
      Issue.record("\(result)")
      return ""
    }
    _ = requests(fixture)
    return post.id
  }

  @Test(
    "an action is sent once: repeating it, or its undo, only looks at the post",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma, .snac])
  func repeated(flavour: MastodonFlavour) async throws {
    let fixture = try await filled(flavour)
    let id = try otherPost(fixture)
    for (kind, verb) in Self.verbs.sorted(by: { $0.value < $1.value }) {
      for isUndone in [false, true] {
        #expect(try await act(kind, id, isUndone: isUndone, fixture) == .success(.done))
        #expect(requests(fixture) == ["GET \(id) 200", "POST \(id)/\(isUndone ? "un" : "")\(verb) 200"])
        #expect(try await act(kind, id, isUndone: isUndone, fixture) == .success(.already))
        #expect(requests(fixture) == ["GET \(id) 200"])
      }
    }
    await fixture.close()
  }

  @Test(
    "a repost's row appears, and disappears when the repost is undone, by the id of either post",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma], [true, false])
  func undoneRepost(flavour: MastodonFlavour, byRepost: Bool) async throws {
    let fixture = try await filled(flavour)
    let id = try otherPost(fixture)
    let before = try fixture.published().posts.map(\.id)
    #expect(try await act(.repost, id, fixture) == .success(.done))
    let repost = try #require(fixture.published().posts.first { $0.repostedBy?.id == String(Author.mira.id) })
    _ = requests(fixture)
    let named = byRepost ? repost.id.text : id
    #expect(try await act(.repost, named, isUndone: true, fixture) == .success(.done))
    // Servers ignore a request to undo the repost of a repost.
    #expect(requests(fixture) == ["GET \(named) 200", "POST \(id)/unreblog 200"])
    #expect(try fixture.published().posts.map(\.id) == before)
    await fixture.close()
  }

  @Test("a moderator's command deletes only the user's own posts")
  func moderator() async throws {
    let fixture = try await filled(.mastodon)
    fixture.play { $0.quirks.isModerator = true }
    let id = try otherPost(fixture)
    guard case .failure(let failure) = try await act(.delete, id, fixture) else {
      Issue.record("another user's post was deleted")
      return
    }
    #expect(failure.kind == .badContent && failure.message.contains("not yours; it was not deleted"))
    #expect(requests(fixture) == ["GET \(id) 200"])
    #expect(try fixture.published().posts.contains { $0.id.text == id })
    let own = try await publish("Mine.", fixture)
    #expect(try await act(.delete, own, fixture) == .success(.done))
    #expect(requests(fixture) == ["GET \(own) 200", "DELETE \(own) 200"])
    #expect(fixture.play { $0.provider.api.publications.moderated } == [])
    await fixture.close()
  }

  @Test("if the response to a repost is lost, the post's state decides, and the repost is not sent again")
  func lostRepost() async throws {
    let fixture = try await filled(.goToSocial)
    let id = try otherPost(fixture)
    fixture.play { $0.faults.add(.drop(worked: true), to: "/api/v1/statuses/\(id)/reblog") }
    #expect(try await act(.repost, id, fixture) == .success(.done))
    #expect(requests(fixture) == ["GET \(id) 200", "POST \(id)/reblog 0", "GET \(id) 200"])
    fixture.play { $0.faults.add(.drop(worked: false), to: "/api/v1/statuses/\(id)/favourite") }
    guard case .failure(let failure) = try await act(.like, id, fixture) else {
      Issue.record("a like that the server did not get counts as done")
      return
    }
    #expect(failure.kind == .unavailable)
    #expect(requests(fixture) == ["GET \(id) 200", "POST \(id)/favourite 0", "GET \(id) 200"])
    await fixture.close()
  }

  @Test(
    "the next command completes a deletion whose answers were lost, and removes the post from the files",
    arguments: [MastodonFlavour.mastodon, .snac])
  func lostDeletion(flavour: MastodonFlavour) async throws {
    let fixture = try await filled(flavour)
    let id = try await publish("Mine.", fixture)
    let path = "/api/v1/statuses/\(id)"
    fixture.play {
      $0.faults.add(.change { _ in }, to: path)
      $0.faults.add(.drop(worked: true), to: path)
      $0.faults.add(.drop(worked: false), to: path)
    }
    guard case .failure = try await act(.delete, id, fixture) else {
      Issue.record("an unknown outcome counts as done")
      return
    }
    #expect(requests(fixture) == ["GET \(id) 200", "DELETE \(id) 0", "GET \(id) 0"])
    #expect(try fixture.published().posts.contains { $0.id.text == id })
    #expect(try await act(.delete, id, fixture) == .success(.already))
    #expect(requests(fixture) == ["GET \(id) 404"])
    #expect(try !fixture.published().posts.contains { $0.id.text == id })
    guard case .failure(let failure) = try await act(.delete, id, fixture) else {
      Issue.record("an unknown post counts as deleted")
      return
    }
    #expect(failure.kind == .badContent && failure.message.contains("has no post"))
    await fixture.close()
  }

  @Test("a page from a proxy in place of the post means that nothing is sent")
  func between() async throws {
    let fixture = try await filled(.mastodon)
    let id = try otherPost(fixture)
    let page = Response(status: .notFound, type: "text/html", text: "<html>Not found</html>")
    for kind in PostAction.Kind.allCases {
      fixture.play { $0.faults.add(.respond(page), to: "/api/v1/statuses/\(id)") }
      guard case .failure(let failure) = try await act(kind, id, fixture) else {
        Issue.record("\(kind) counts as done")
        return
      }
      #expect(failure.isPassing, "\(failure)")
      #expect(requests(fixture) == ["GET \(id) 404"])
    }
    await fixture.close()
  }
}
