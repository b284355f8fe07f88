import TestSupport
import Testing
import Time

@testable import Posting

/// Which posts on a server count as the sent one.
@Suite struct PostRecognitionTests {
  private func recognition(
    _ text: String = "Good morning.", replyTo: String? = nil, visibility: PostVisibility? = nil,
    known: Set<String>? = ["1"], claimed: Set<String> = [], named: String? = nil, rivals: [PostRecognition] = []
  ) -> PostRecognition {
    PostRecognition(
      of: PostDraft(text: text, visibility: visibility), replyTo: replyTo, by: "7", sentAt: noon, knownBefore: known,
      claimed: claimed, named: named, rivals: rivals)
  }

  private func post(
    _ id: String, by author: String? = "7", _ text: String = "Good morning.", at seconds: Int64? = 1
  ) -> SentPost {
    SentPost(
      id: id, url: nil, text: text, visibility: nil, replyTo: nil, authorID: author,
      createdAt: seconds.map { noon + .seconds($0) })
  }

  @Test(
    "a response proves a post only if it is new, by the user, and has the attempt's text or time")
  func answers() {
    func isProven(_ answer: SentPost, _ text: String = "Good morning.", known: Set<String>? = ["1"]) -> Bool {
      recognition(text, known: known, claimed: ["5"]).isProven(by: answer, at: noon + .seconds(2))
    }
    #expect(isProven(post("9")) && isProven(post("9"), known: nil))
    #expect(isProven(post("9", "Good  morning. https://t.co/x", at: nil)), "the server changed the text")
    #expect(isProven(post("9", "Something else.")), "the server changed the text beyond recognition")
    #expect(isProven(post("9", at: -7200)), "the server's time is wrong")
    #expect(!isProven(post("9", by: "8")), "another user's post with the same text and time")
    #expect(!isProven(post("9", by: nil)), "nobody's post")
    #expect(!isProven(post("9", "Something else.", at: -7200)) && !isProven(post("9", "Something else.", at: 7200)))
    #expect(!isProven(post("9", "Something else.", at: nil)))
    #expect(!isProven(post("1")), "the post existed before")
    #expect(!isProven(post("5")), "the post belongs to another intent")
    // Links are replaced by others, so such a text proves nothing.
    #expect(!isProven(post("9", "https://t.co/x", at: -7200), "https://example.org/"))
    #expect(isProven(post("9", "https://t.co/x"), "https://example.org/"))
    #expect(!isProven(post("9", "", at: -7200), "") && isProven(post("9", ""), ""))
  }

  @Test("in an API whose responses do not name the author, the text must be the same")
  func answersWithoutAuthor() {
    func isProven(_ answer: SentPost, _ text: String = "Good morning.") -> Bool {
      recognition(text).isProven(by: answer, at: noon + .seconds(2), mayOmitAuthor: true)
    }
    #expect(isProven(post("9", by: nil, at: nil)) && isProven(post("9", by: "7", "Something else.")))
    #expect(!isProven(post("9", by: nil, "Something else.")) && !isProven(post("9", by: "8")))
    #expect(!isProven(post("9", by: nil, "https://t.co/x", at: nil), "https://example.org/"))
    #expect(isProven(post("9", by: nil, "https://t.co/x"), "https://example.org/"))
  }

  private func found(_ result: LookUpResult) -> String? { if case .found(let post) = result { post.id } else { nil } }

  @Test("a sent post is recognised only if it is the only new post on the server with its text")
  func ownPosts() {
    func found(_ posts: [SentPost], _ recognition: PostRecognition? = nil) -> String? {
      self.found((recognition ?? self.recognition()).find(among: posts, in: .ownPosts))
    }
    #expect(found([post("2"), post("1")]) == "2")
    #expect(found([post("2", by: nil, at: nil), post("1")]) == "2", "the request was for the user's posts")
    #expect(found([post("1")]) == nil && found([]) == nil)
    #expect(found([post("3"), post("2"), post("1")]) == nil, "two candidates")
    #expect(found([post("2")], recognition(claimed: ["2"])) == nil)
    #expect(found([post("2", at: -7200)]) == "2", "what is new is known better than the server's time")
    #expect(found([post("2", by: "8")]) == nil)
    #expect(found([post("2"), post("3", by: "8")]) == "2")
    #expect(found([post("2")], recognition("https://example.org/")) == nil)
    #expect(found([post("2")], recognition(replyTo: "1")) == nil)
  }

  @Test("if the earlier posts are unknown, a post is recognised by its time")
  func unknownBefore() {
    let recognition = recognition(known: nil)
    #expect(found(recognition.find(among: [post("2"), post("1", at: -60)], in: .ownPosts)) == "2")
    #expect(found(recognition.find(among: [post("1", at: -60)], in: .ownPosts)) == nil)
    #expect(
      recognition.find(among: [post("2", at: nil)], in: .ownPosts)
        == .inconclusive("the earlier posts are unknown, so it cannot be recognised"))
  }

  @Test("a new post by the user that the server named is recognised, even with a different text")
  func named() {
    func found(_ posts: [SentPost], named: String) -> String? {
      self.found(recognition(named: named).find(among: posts, in: .ownPosts))
    }
    #expect(found([post("3"), post("2", "Changed.")], named: "2") == "2")
    #expect(found([post("2", by: "8")], named: "2") == nil && found([post("1")], named: "1") == nil)
    #expect(found([post("3")], named: "2") == "3")
  }

  @Test("in the home timeline, a post is recognised by the user's id, its text and its time")
  func home() {
    func found(_ posts: [SentPost]) -> String? { self.found(recognition().find(among: posts, in: .home)) }
    #expect(found([post("4", by: "8"), post("2"), post("3", by: nil)]) == "2")
    #expect(found([post("2", at: -60)]) == nil, "the user posts the same each morning")
    #expect(found([post("2", at: nil)]) == nil && found([post("1")]) == nil)
    #expect(found([post("2", at: 86_400)]) == "2")
  }

  @Test("two posts in doubt with the same text are not mistaken for each other")
  func rivals() {
    var (first, second) = (intent(1), intent(2))
    let draft = first.draft
    func same(_ number: Int, at seconds: Int64, _ intent: inout PostIntent) {
      intent = PostIntent(
        id: intent.id, number: number, author: intent.author, createdAt: noon, draft: draft, key: intent.key,
        state: .queued(PostIntent.Waiting(since: noon)))
      intent.begin(
        settling: .sameKey(for: .seconds(3600), knownBefore: []), replyTo: nil, at: noon + .seconds(seconds))
    }
    same(1, at: 0, &first)
    same(2, at: 600, &second)
    func found(_ posts: [SentPost], for intent: PostIntent) -> String? {
      self.found(intent.recognition(among: [first, second])!.find(among: posts, in: .home))
    }
    let early = SentPost(
      id: "3", url: nil, text: "post 1", visibility: nil, replyTo: nil, authorID: "1", createdAt: noon + .seconds(1))
    let late = SentPost(
      id: "4", url: nil, text: "post 1", visibility: nil, replyTo: nil, authorID: "1", createdAt: noon + .seconds(601))
    #expect(found([early], for: first) == "3" && found([early], for: second) == nil)
    #expect(found([late], for: first) == nil && found([late], for: second) == nil, "the key of either may have worked")
    first.giveUp("not there", at: noon + .seconds(300))
    #expect(found([late], for: first) == nil && found([late], for: second) == "4", "the first attempt had ended")
    second.recognise(late, at: noon)
    #expect(found([late], for: first) == nil, "the post is the second one's")
    #expect(found([late, early], for: first) == "3")
  }

  @Test("a restored post that the other machine published is recognised by the time when it was written")
  func restored() throws {
    let post = intent(1).restored(at: noon + .seconds(600))
    let recognition = try #require(post.recognition(among: [post]))
    let published = SentPost(
      id: "3", url: nil, text: "post 1", visibility: nil, replyTo: nil, authorID: "1", createdAt: noon + .seconds(60))
    #expect(recognition.find(among: [published], in: .home) == .found(published))
    #expect(intent(1).recognition(among: []) == nil, "a post that was not sent is not in doubt")
  }
}
