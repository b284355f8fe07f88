import Formats
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Storage

/// How every store must find the replies to a post.
@Suite struct RepliesTests {
  private static let list = try! TimelineName("list:Friends")
  private static let notifications = try! TimelineName("notifications")

  private func entry(_ number: Int, to answered: Int? = nil, text: String = "text", hidden: Bool = false) -> Page.Entry
  {
    let id = PostID(String(number))
    let post = Post(
      id: id, createdAt: noon + .seconds(number), author: User(id: "ann", screenName: "ann", name: "Ann"), text: text,
      inReplyTo: answered.map { Post.Reply(id: PostID(String($0)), screenName: "bob") })
    return Page.Entry(
      post: post.filtered(by: hidden ? ServerFilter(.hide, title: "wasps") : nil), key: PostKey(decimal: id)!)
  }

  private func insert(_ entries: [Page.Entry], _ timeline: TimelineName, into storage: any AccountStorage) throws {
    let write = PageWrite(
      Page(entries: entries, older: nil), of: timeline, as: .head, receivedAt: noon, state: try storage.state())
    _ = try storage.insert(write, expecting: storage.revision())
  }

  private func replies(
    to number: Int, _ storage: any AccountStorage, _ scope: ArchiveScope = .everything, lookingAt limit: Int = 5000,
    atMost most: Int = 1000
  ) throws -> [Int] {
    try storage.replies(to: entry(number).mark, in: scope, lookingAt: limit, atMost: most).map {
      Int($0.mark.id.text)!
    }
  }

  @Test("replies and their replies are found, oldest first", arguments: StoreKind.allCases)
  func tree(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let entries = [
        entry(19, to: 14), entry(18, to: 11), entry(17), entry(16, to: 99), entry(15, to: 10), entry(14, to: 12),
        entry(13, text: #""in_reply_to":{"id":"10"}"#), entry(12, to: 10), entry(11, to: 9), entry(10), entry(9),
      ]
      try insert(entries, .home, into: storage)
      #expect(try replies(to: 10, storage) == [12, 14, 15, 19])
      #expect(try replies(to: 9, storage) == [11, 18])
      #expect(try replies(to: 19, storage) == [])
      #expect(try replies(to: 10, storage, lookingAt: 3) == [12], "only the posts 11 to 13 are looked at")
      #expect(try replies(to: 10, storage, lookingAt: 5) == [12, 14, 15])
      #expect(try replies(to: 10, storage, atMost: 2) == [12, 14])
    }
  }

  @Test("a reply is found in each timeline of the scope, unless it is hidden or deleted", arguments: StoreKind.allCases)
  func timelines(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert([entry(12, to: 10, hidden: true), entry(11, to: 10), entry(10)], .home, into: storage)
      #expect(try replies(to: 10, storage) == [11])
      try insert([entry(13, to: 10)], Self.list, into: storage)
      let mention = entry(14, to: 13)
      let event = Notice(id: PostID("77"), kind: "mention", actors: [mention.post.author], at: noon)
      try insert([mention.noticed(event, at: PostKey(decimal: event.id)!)], Self.notifications, into: storage)
      #expect(try replies(to: 10, storage) == [11, 13, 14])
      #expect(try replies(to: 10, storage, .withoutPrivate) == [11, 13])
      #expect(try replies(to: 13, storage) == [14], "the post itself is not in home")
      let gone = Page(entries: [entry(10)], older: nil, deleted: [entry(11).mark])
      _ = try storage.insert(
        PageWrite(gone, of: .home, as: .head, receivedAt: noon, state: storage.state()), expecting: storage.revision())
      #expect(try replies(to: 10, storage) == [13, 14])
    }
  }
}
