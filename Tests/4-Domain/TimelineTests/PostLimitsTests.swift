import Testing
import Time

@testable import Timeline

@Suite struct PostLimitsTests {
  private func post(name: String = "n", screenName: String = "s", address: String? = nil, media: [Media] = []) -> Post {
    let user = User(id: "1", screenName: screenName, name: name, avatarURL: address)
    let quote = Post.Quote(
      id: PostID("2"), createdAt: Timestamp(seconds: 0), author: user, text: "q", url: address, media: media)
    return Post(
      id: PostID("1"), createdAt: Timestamp(seconds: 0), author: user, text: String(repeating: "t", count: 1_000_000),
      url: address, repostedBy: user, inReplyTo: Post.Reply(id: PostID("3"), screenName: screenName), quoted: quote,
      media: media)
  }

  @Test("the limits do not change an ordinary post")
  func usual() {
    let media = Media(
      kind: .photo, url: "https://img.example/1", alternativeText: String(repeating: "日", count: 10_000))
    let usual = post(
      name: String(repeating: "é", count: 1000), address: "https://x.example/" + String(repeating: "a", count: 8000),
      media: [Media](repeating: media, count: 100))
    #expect(Page.Entry(post: usual, key: PostKey("1")).post == usual)
  }

  @Test("long names and long alternative text are truncated, and long addresses are left out")
  func cut() {
    let long = String(repeating: "日", count: 1_000_000),
      address = "https://x.example/" + String(repeating: "a", count: 8175)
    let media = [
      Media(kind: .photo, url: "https://img.example/1", alternativeText: long), Media(kind: .photo, url: address),
    ]
    let taken = Page.Entry(
      post: post(name: long, screenName: long, address: address, media: media), key: PostKey("1")
    ).post
    let name = String(repeating: "日", count: 999) + "…"
    for user in [taken.author, taken.repostedBy!, taken.quoted!.author] {
      #expect(user.name == name && user.screenName == name && user.avatarURL == nil)
    }
    #expect(taken.inReplyTo?.screenName == name)
    #expect(taken.url == nil && taken.quoted?.url == nil)
    for media in [taken.media, taken.quoted!.media] {
      #expect(media.count == 1)
      #expect(media.first?.alternativeText == String(repeating: "日", count: 9_999) + "…")
    }
    // The reader must not truncate text that has been written.
    #expect(taken.text.utf8.count == 1_000_000)
  }

  @Test("a post can have at most a hundred pictures and videos")
  func media() {
    let media = (0..<1000).map { Media(kind: .photo, url: "https://img.example/\($0)") }
    let taken = Page.Entry(post: post(media: media), key: PostKey("1")).post
    #expect(taken.media == Array(media.prefix(100)) && taken.quoted?.media == Array(media.prefix(100)))
  }
}
