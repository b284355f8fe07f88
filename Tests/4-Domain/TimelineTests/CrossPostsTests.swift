import Testing
import Time

@testable import Timeline

@Suite struct CrossPostsTests {
  private static let text = "Today we release version 2 of our little editor."

  /// Posts, newest first. Each post is an hour older than the one before, unless its age is given.
  private struct Sent {
    var account = "a"
    var text = CrossPostsTests.text
    var name = "Mia Wu"
    var screenName = "mia"
    var url: String?
    var hoursAgo = 0
    var event: String?
  }

  private func folded(_ sent: [Sent]) -> [String] {
    let now: Int64 = 1_700_000_000
    let posts = sent.enumerated().map { index, sent in
      let time = Timestamp(seconds: now - Int64(sent.hoursAgo) * 3600)
      let post = Post(
        id: PostID("\(index)"), createdAt: time,
        author: User(id: "1", screenName: sent.screenName, name: sent.name), text: sent.text,
        url: sent.url ?? "u\(index)", notice: sent.event.map { Notice(id: PostID("n"), kind: $0, at: time) })
      return (account: sent.account, post: post)
    }
    let remaining = CrossPosts.folded(posts)
    // Each post remains, or is left out for one that does.
    #expect(remaining.flatMap { [$0.index] + $0.copies }.sorted() == Array(posts.indices))
    return remaining.map { "\($0.index)" + $0.alsoAt.map { " \($0)" }.joined() }
  }

  private func areSame(_ one: Sent, _ other: Sent) -> Bool { folded([one, other]) == ["0 u1"] }

  @Test("a cross-post is shown only once, with the addresses of the omitted posts")
  func same() {
    #expect(folded([Sent(), Sent(account: "b"), Sent(account: "c"), Sent(text: "x")]) == ["0 u1 u2", "3"])
    #expect(folded([]) == [])
  }

  @Test("a like is shown beside the liked post, and a mention only once")
  func events() {
    for event in ["favourite", "quote", "wave"] {
      #expect(folded([Sent(event: event), Sent(account: "b"), Sent(account: "c", event: event)]) == ["0", "1", "2"])
    }
    #expect(folded([Sent(event: "mention"), Sent(account: "b")]) == ["0 u1"])
  }

  @Test(
    "differences in whitespace, letter case, links and a final ellipsis between cross-posts are ignored",
    arguments: [
      "today we release\n\nVERSION 2 of our  little editor.", "\(text) https://t.co/AbC123",
      "\(text)\nhttps://social.example/@mia/1?a=b#c", "\(text)…", "\(text)...", "\(text) … http://x.example/…",
      "\(text) t.co/abc", "www.editor.example \(text)", "HTTPS://T.CO/x \(text)", "\(text) editor.example/news/2",
    ])
  func leftAside(text: String) { #expect(areSame(Sent(), Sent(account: "b", text: text))) }

  @Test(
    "posts with different text do not count as cross-posts",
    arguments: [
      "Today we release version 3 of our little editor.", "\(text) Really.", "\(text) and/or", "\(text) 1.5/2",
      "\(text) e.g./i.e.", "\(text) ftp://x.example",
    ])
  func otherText(text: String) { #expect(!areSame(Sent(), Sent(account: "b", text: text))) }

  @Test("a link in a post ends at the first character of a script without spaces")
  func linkInText() {
    let one = "今日は新しい編集器の第二版を公開しました。https://t.co/abcぜひ見てください。"
    let other = "今日は新しい編集器の第二版を公開しました。ぜひ見てください。"
    #expect(areSame(Sent(text: one), Sent(account: "b", text: other)))
    #expect(!areSame(Sent(text: one), Sent(account: "b", text: "今日は新しい編集器の第二版を公開しました。")))
  }

  @Test("text shorter than twenty characters, not counting links and whitespace, is not compared")
  func shortest() {
    let twenty = String(repeating: "ab ", count: 10)
    #expect(areSame(Sent(text: twenty), Sent(account: "b", text: twenty)))
    let less = String(twenty.dropLast(2)) + " https://social.example/a/very/long/link"
    #expect(!areSame(Sent(text: less), Sent(account: "b", text: less)))
  }

  @Test(
    "two authors are the same person if their display names are equal, or their screen names apart from the server"
  )
  func person() {
    #expect(areSame(Sent(), Sent(account: "b", name: "MIA  WU", screenName: "other")))
    #expect(areSame(Sent(), Sent(account: "b", name: "Other", screenName: "Mia@social.example")))
    #expect(!areSame(Sent(), Sent(account: "b", name: "Other", screenName: "other")))
    #expect(!areSame(Sent(name: "", screenName: "x"), Sent(account: "b", name: "", screenName: "y")))
  }

  @Test("repeated posts in one account are kept, and each is matched with its own counterpart")
  func oneAccount() {
    #expect(folded([Sent(), Sent()]) == ["0", "1"])
    #expect(folded([Sent(), Sent(account: "b"), Sent(), Sent(account: "b")]) == ["0 u1", "2 u3"])
    #expect(folded([Sent(), Sent(), Sent(account: "b"), Sent(account: "b")]) == ["0 u2", "1 u3"])
  }

  @Test("posts count as cross-posts only if they are at most 48 hours apart")
  func reach() {
    #expect(folded([Sent(), Sent(account: "b", hoursAgo: 48)]) == ["0 u1"])
    #expect(folded([Sent(), Sent(account: "b", hoursAgo: 49), Sent(hoursAgo: 50)]) == ["0", "1 u2"])
  }

  @Test(
    "a post in the timelines of two accounts is shown once, regardless of its length, and without a second address"
  )
  func samePost() {
    let one = Sent(text: "ok", url: "https://social.example/1")
    var other = one
    other.account = "b"
    #expect(folded([one, other]) == ["0"])
    #expect(folded([one, one]) == ["0", "1"])
  }

  @Test("many posts with the same text are compared once per account")
  func many() {
    let sent = (0..<20_000).map { Sent(account: $0 < 10_000 ? "a" : "b", hoursAgo: $0 < 10_000 ? 0 : 1) }
    #expect(folded(sent).count == 10_000)
  }

  @Test("all links in a post are removed, however many, and text that contains only links is not compared")
  func hostile() {
    let links = String(repeating: "http://字", count: 5000)
    #expect(areSame(Sent(text: links), Sent(account: "b", text: links)))
    let bare = String(repeating: "https://x.example/ ", count: 5000)
    #expect(!areSame(Sent(text: bare), Sent(account: "b", text: bare)))
  }
}
