import Testing
import Time
import Timeline

@testable import Formats

@Suite("Notifications that are shown as one") struct NoticeGroupsTests {
  /// Returns the shown posts as `NAMES kind@index`.
  private func joined(_ posts: [Post], accounts: [String]? = nil, gaps: Set<Int> = []) -> [String] {
    NoticeGroups.joined(posts, account: { accounts?[$0] }, isAboveGap: gaps.contains).map { entry in
      let names = entry.post.notice?.actors.map(\.name).joined(separator: "+") ?? "-"
      return "\(names) \(entry.post.notice?.kind ?? "post")@\(entry.index)\(entry.isAboveGap ? "|" : "")"
    }
  }

  private func like(
    _ name: String, of post: String? = "7", kind: String = "favourite", group: String? = nil, age: Int = 0
  ) -> Post {
    NoticeSamples.post(NoticeSamples.notice(kind, id: "\(name)\(age)", by: [name], group: group, age: age), of: post)
  }

  @Test("likes and reposts of one post are joined at the newest, each kind alone")
  func samePost() {
    let posts = [
      like("Ada"), like("Ben", kind: "reblog"), like("Cleo"), like("Dan", of: "8"), like("Dan", kind: "reblog"),
    ]
    #expect(joined(posts) == ["Ada+Cleo favourite@0", "Ben+Dan reblog@1", "Dan favourite@3"])
  }

  @Test("without the server's group, events a day after the first one begin a new group")
  func day() {
    let posts = [like("Ada"), like("Ben", age: 86_400), like("Cleo", age: 86_401), like("Dan", age: 86_402)]
    #expect(joined(posts) == ["Ada+Ben favourite@0", "Cleo+Dan favourite@2"])
  }

  @Test("the server's group counts, whatever its events' times and posts are")
  func serverGroup() {
    let posts = [
      like("Ada", group: "g"), like("Ben", group: "h"), like("Cleo", group: "g", age: 200_000), like("Dan"),
    ]
    #expect(joined(posts) == ["Ada+Cleo favourite@0", "Ben favourite@1", "Dan favourite@3"])
  }

  @Test("follows within a day are joined, and likes without a post are not")
  func withoutPosts() {
    let follows = [
      like("Ada", of: nil, kind: "follow"), Samples.small, like("Ben", of: nil, kind: "follow", age: 60),
      like("Cleo", of: nil, kind: "follow", age: 86_401),
    ]
    #expect(joined(follows) == ["Ada+Ben follow@0", "- post@1", "Cleo follow@3"])
    #expect(joined([like("Ada", of: nil), like("Ben", of: nil)]) == ["Ada favourite@0", "Ben favourite@1"])
  }

  @Test("other kinds are never joined", arguments: ["mention", "poll", "follow_request", "wave"])
  func others(kind: String) {
    let posts = [like("Ada", kind: kind, group: "g"), like("Ben", kind: kind, group: "g")]
    #expect(joined(posts) == ["Ada \(kind)@0", "Ben \(kind)@1"])
  }

  @Test("a user who likes a post again is named once")
  func again() { #expect(joined([like("Ada"), like("Ben"), like("Ada", age: 5)]) == ["Ada+Ben favourite@0"]) }

  @Test("a group ends at a gap, which stays below the last entry above it")
  func gaps() {
    let posts = [like("Ada"), like("Ben"), like("Cleo"), like("Dan")]
    #expect(joined(posts, gaps: [1]) == ["Ada+Ben favourite@0|", "Cleo+Dan favourite@2"])
    #expect(joined([Samples.small, Samples.small], gaps: [0, 1]) == ["- post@0|", "- post@1|"])
  }

  @Test("the notifications of two accounts are never joined")
  func accounts() {
    #expect(joined([like("Ada"), like("Ben")], accounts: ["a", "b"]) == ["Ada favourite@0", "Ben favourite@1"])
  }

  @Test("ten thousand likes of one post become one entry that names each user once")
  func many() {
    let posts = (0..<10_000).map { like("U\($0)") }
    let entries = NoticeGroups.joined(posts, account: { _ in nil }, isAboveGap: { _ in false })
    #expect(entries.count == 1 && entries[0].post.notice?.actors.count == 10_000)
  }
}
