import Testing
import TerminalText
import Time
import Timeline

@testable import Formats

@Suite("What a notification says") struct NoticeSentenceTests {
  private func sentence(_ notice: Notice, of post: String? = "7") -> String? {
    NoticeSentence(NoticeSamples.post(notice, of: post))?.text(PersonName.short)
  }

  @Test("one user, two users, and the first of several users are named")
  func names() {
    for (count, names) in [(1, "Ada"), (2, "Ada and Ben"), (3, "Ada and 2 others"), (4, "Ada and 3 others")] {
      let actors = Array(NoticeSamples.names.prefix(count))
      #expect(sentence(NoticeSamples.notice("favourite", by: actors)) == "\(names) liked")
    }
    #expect(sentence(NoticeSamples.notice("favourite", by: [])) == "Somebody liked")
  }

  static let withPost = [
    ("reblog", "Ada reposted"), ("favourite", "Ada liked"), ("status", "Ada posted"), ("quote", "Ada quoted you"),
    ("poll", "A poll by Ada has ended"), ("update", "Ada edited this post"),
    ("quoted_update", "Ada edited a post that you quoted"), ("wave", "Ada: wave"),
  ]

  @Test("the sentence above a post says what others have done with it", arguments: withPost)
  func abovePosts(kind: String, text: String) { #expect(sentence(NoticeSamples.notice(kind)) == text) }

  static let alone = [
    ("mention", "Ada mentioned you"), ("reblog", "Ada reposted a post"), ("favourite", "Ada liked a post"),
    ("follow", "Ada followed you"), ("follow_request", "Ada asked to follow you"), ("update", "Ada edited a post"),
    ("severed_relationships", "You have lost followers or users you followed"),
    ("moderation_warning", "The moderators have sent you a warning"), ("admin.sign_up", "Ada signed up"),
    ("admin.report", "Ada sent a report"),
  ]

  @Test("the sentence of an event without a post is complete", arguments: alone)
  func withoutPosts(kind: String, text: String) { #expect(sentence(NoticeSamples.notice(kind), of: nil) == text) }

  @Test("a mention with a post, and a post without an event, need no sentence")
  func none() {
    #expect(sentence(NoticeSamples.notice("mention")) == nil)
    #expect(NoticeSentence(Samples.full) == nil)
  }

  @Test("a kind and a name from the server stay on one line")
  func hostile() {
    let evil = NoticeSamples.notice("a\n\u{1b}[2Jb", by: ["x\ny"])
    #expect(sentence(evil) == "x y: a b")
  }

  // MARK: On the terminal

  private func shown(_ post: Post, _ details: PlainText.Details = .init()) -> String {
    PlainText(at: Samples.time, form: TerminalForm()).string(of: post, details)
  }

  @Test("`homeline show` prints what has happened above the post")
  func terminal() {
    let liked = NoticeSamples.post(NoticeSamples.notice("favourite", by: NoticeSamples.names, age: 300))
    #expect(
      shown(liked, .init(account: "me", isUnread: true, showsID: true)) == """
        ● Ada and 3 others liked · 5 min · me
        Mira @mira_demo · 2 d
          text of 7
          id 7 · notification n1

        """)
    #expect(
      shown(NoticeSamples.post(NoticeSamples.notice("mention")), .init(isUnread: true))
        == "● Mira @mira_demo · 2 d\n  text of 7\n")
  }

  @Test("`homeline show` prints an event without a post with the server's text about it")
  func terminalEvent() {
    let wave = NoticeSamples.notice("wave", text: "Ada waved\nat you\u{1b}[2J")
    #expect(
      shown(NoticeSamples.post(wave, of: nil), .init(showsID: true))
        == "Ada: wave · now\n  Ada waved\n  at you\n  notification n1\n")
  }
}
