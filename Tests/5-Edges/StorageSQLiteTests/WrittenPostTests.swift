import Testing
import Time
import Timeline

@testable import StorageSQLite

@Suite struct WrittenPostTests {
  private static let times = [nil, Timestamp(seconds: 1_800_000_000), Timestamp(seconds: 1_800_000_060)]

  @Test(
    "a post whose edit time becomes known later is published like a post that always had it",
    arguments: times, times)
  func noted(first: Timestamp?, later: Timestamp?) {
    // A noted time is never removed.
    guard first == nil || later != nil else { return }
    var post = Post(
      id: PostID("1"), createdAt: Timestamp(seconds: 1_700_000_000),
      author: User(id: "2", screenName: "ann", name: "Ann"),
      text: "a text")
    post.editedAt = first
    var written = WrittenPost(post)
    written.post.editedAt = later
    post.editedAt = later
    #expect(written.bytes == PostJSON.bytes(post))
  }
}
