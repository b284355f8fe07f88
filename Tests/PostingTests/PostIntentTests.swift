import CivilTime
@testable import Posting
import TestSupport
import Testing

/// The transitions of a single post intent, and the order of multiple intents.
@Suite struct PostIntentTests {
  private static let key = PostSettlement.sameKey(for: .seconds(3600), knownBefore: ["1"])
  private static let lookUp = PostSettlement.lookUp(knownBefore: ["1"])

  private func sending(_ settlement: PostSettlement = key) -> PostIntent {
    var intent = intent(1)
    intent.begin(settling: settlement, replyTo: nil, at: noon)
    return intent
  }

  private func end(_ intent: inout PostIntent, _ result: AttemptResult, at time: Timestamp = noon) {
    var generator = SeededGenerator(seed: 7)
    intent.end(result, at: time, using: &generator)
  }

  @Test("an attempt that never reached the server leaves the post queued with its key")
  func unsent() {
    var post = sending()
    let key = post.key
    end(&post, .unsent("no network"))
    #expect(post.key == key && post.step(at: noon) == .wait(until: noon + .seconds(5)))
    #expect(post.step(at: noon + .seconds(5)) == .send)
  }

  @Test("an upload continues from its stored stage, and a file that the server has deleted is uploaded again")
  func upload() {
    let media = ["a", "b"].map {
      PostMedia(path: "/\($0)", fingerprint: $0, size: 10, type: "image/png", description: nil)
    }
    var generator = SeededGenerator(seed: 3)
    var post = PostIntent(
      PostDraft(text: "t", media: media), by: intent(1).author, number: 1, at: noon, using: &generator)
    #expect(post.pendingUploads(at: noon).map(\.stage) == [.missing, .missing])
    post.beginUpload(at: noon)
    post.reach(.ready(id: "1"), ofFile: 0, after: nil, lifetime: .seconds(100), at: noon)
    post.reach(.partial(id: "2", sent: 5), ofFile: 1, after: nil, lifetime: nil, at: noon)
    post.postpone("no network", at: noon)
    guard case .uploading = post.state else {
      Issue.record("\(post.state)")
      return
    }
    #expect(post.step(at: noon) == .wait(until: noon + .seconds(5)) && post.step(at: noon + .seconds(5)) == .send)
    #expect(post.pendingUploads(at: noon + .seconds(99)).map(\.index) == [1])
    #expect(post.pendingUploads(at: noon + .seconds(100)).map(\.stage) == [.missing, .partial(id: "2", sent: 5)])
    post.refuse("too large", at: noon)
    #expect(post.retry(at: noon, using: &generator) && post.pendingUploads(at: noon).count == 2)
    #expect(post.pendingUploads(at: noon).allSatisfy { $0.stage == .missing })
  }

  @Test("after a rate limit, the post is sent with a new key, because some servers repeat errors for the same key")
  func postponed() {
    var post = sending()
    let key = post.key
    end(&post, .postponed("too many", until: noon + .seconds(90)))
    #expect(post.key != key && post.step(at: noon + .seconds(89)) == .wait(until: noon + .seconds(90)))
  }

  @Test(
    "after a lost response, a post is sent again while the server remembers its key; later, homeline looks for it")
  func lost() {
    var post = sending()
    let key = post.key
    end(&post, .unanswered("lost"))
    #expect(post.key == key && post.step(at: noon + .seconds(5)) == .send)
    #expect(post.step(at: noon + .seconds(3300)) == .lookUp)
    #expect(post.step(at: noon - .seconds(60)) == .wait(until: noon + .seconds(5)))
  }

  @Test("without a key, homeline looks for a post whose response was lost, and never sends it again")
  func withoutKey() {
    var post = sending(Self.lookUp)
    end(&post, .unanswered("lost"))
    #expect(post.step(at: noon + .seconds(5)) == .lookUp)
    post.end(.inconclusive("not there"), at: noon)
    #expect(post.state == .unknown("not there", at: noon) && post.step(at: noon + .seconds(9999)) == .nothing)
  }

  @Test("a post whose sender was killed waits until the server must have finished with the first attempt")
  func killed() {
    let post = sending()
    #expect(post.step(at: noon) == .wait(until: noon + .seconds(15)))
  }

  @Test("a refusal of a repeated post is final only if it proves that no earlier attempt published the post")
  func refusedRepetition() {
    var post = sending()
    end(&post, .unanswered("lost"))
    post.begin(settling: Self.lookUp, replyTo: "ignored", at: noon + .seconds(5))
    end(&post, .rejected("token revoked", coversEarlier: false), at: noon + .seconds(6))
    #expect(post.step(at: noon + .seconds(60)) == .send, "the first attempt may have published the post")
    post.begin(settling: Self.lookUp, replyTo: nil, at: noon + .seconds(60))
    end(&post, .rejected("too long", coversEarlier: true), at: noon + .seconds(61))
    #expect(post.state == .refused("too long", at: noon + .seconds(61)))
  }

  @Test("a post that has waited for more than 24 hours is sent only if the user runs --retry")
  func expired() {
    var post = intent(1)
    #expect(post.step(at: noon + .seconds(86_401)) == .expire)
    guard case .refuse(let refused, let reason) = OutboxPlan.next(of: [post], at: noon + .seconds(86_401)) else {
      Issue.record("the post is not refused")
      return
    }
    #expect(refused == post && reason.contains("--retry \(post.id)"))
    post.refuse(reason, at: noon + .seconds(86_401))
    var generator = SeededGenerator(seed: 8)
    #expect(post.retry(at: noon + .seconds(90_000), using: &generator))
    #expect(post.step(at: noon + .seconds(90_000)) == .send)
  }

  @Test(
    "after a clock that was far ahead is set back, a post does not wait for a time computed while the clock was wrong")
  func clockSetBack() {
    var queued = intent(1)
    queued.postpone("no network", at: noon + .seconds(365 * 86_400))
    #expect(queued.step(at: noon) == .send)
    var sent = intent(2)
    sent.begin(settling: Self.lookUp, replyTo: nil, at: noon + .seconds(365 * 86_400))
    #expect(sent.step(at: noon) == .lookUp)
  }

  @Test("a scheduled post waits for its time without delaying other posts")
  func scheduled() {
    let later = intent(1, at: noon + .seconds(600))
    let other = intent(2)
    #expect(OutboxPlan.next(of: [later, other], at: noon) == .send(other, replyTo: nil))
    #expect(OutboxPlan.next(of: [later], at: noon) == .wait(until: noon + .seconds(600)))
    #expect(OutboxPlan.next(of: [later, other], at: noon + .seconds(600)) == .send(later, replyTo: nil))
  }

  @Test("a post that waits for the network holds up later posts")
  func order() {
    var first = intent(1)
    first.postpone("no network", at: noon)
    #expect(OutboxPlan.next(of: [intent(2), first], at: noon) == .wait(until: noon + .seconds(5)))
  }

  @Test("a post with an unknown outcome delays only the replies to it")
  func unknownThread() {
    var first = sending(Self.lookUp)
    first.end(.inconclusive("not there"), at: noon)
    let reply = intent(2, replyTo: .intent(first.id))
    let other = intent(3)
    #expect(OutboxPlan.next(of: [first, reply, other], at: noon) == .send(other, replyTo: nil))
    #expect(OutboxPlan.next(of: [first, reply], at: noon) == .idle)
    first.state = .posted(sent("9", "post 1"), at: noon, differences: [])
    #expect(OutboxPlan.next(of: [first, reply], at: noon) == .send(reply, replyTo: "9"))
    #expect(OutboxPlan.next(of: [reply], at: noon) == .refuse(reply, "the post that it replies to was not published"))
  }

  @Test("the intent of a published post is kept for a day, or longer while a reply to it is pending")
  func outdated() {
    var first = intent(1)
    first.state = .posted(sent("9", "post 1"), at: noon, differences: [])
    let reply = intent(2, replyTo: .intent(first.id))
    #expect(OutboxPlan.outdated([first], at: noon + .seconds(86_400)) == [])
    #expect(OutboxPlan.outdated([first], at: noon + .seconds(86_401)) == [first.id])
    #expect(OutboxPlan.outdated([first, reply], at: noon + .seconds(86_401)) == [])
  }
}

/// The comparison of posts, which recognises the user's own posts.
@Suite struct PostComparisonTests {
  @Test(
    "links, white space and the servers of mentioned users do not count as differences between posts",
    arguments: [
      ("see https://example.org/a b", "see https://t.co/x b"), ("see example.org.", "see http://example.org/."),
      ("hi  @ann@far.example!", "hi @ann!"), ("a\n\nb", "a b"),
    ])
  func sameText(wanted: String, published: String) {
    #expect(PostComparison(PostDraft(text: wanted), replyTo: nil).hasSameText(sent("1", published)))
  }

  @Test("a different text, visibility or reply counts as a difference between posts")
  func differences() {
    let comparison = PostComparison(PostDraft(text: "a", visibility: .direct), replyTo: "5")
    #expect(comparison.differences(in: sent("1", "a", .direct, replyTo: "5")) == [])
    #expect(
      comparison.differences(in: sent("1", "b", .followers)) == [
        "the server changed the text", "the visibility is private instead of direct", "the post is not a reply to 5",
      ])
  }

  @Test("a missing warning, language or file counts as a difference, but a post without it is still recognised")
  func detailedDifferences() {
    let file = PostMedia(path: "/a", fingerprint: "", size: 10, type: "image/png", description: nil)
    let draft = PostDraft(text: "a", warning: "w & x", language: "de-AT", media: [file, file])
    let comparison = PostComparison(draft, replyTo: nil)
    func post(_ warning: String, _ language: String?, files: Int) -> SentPost {
      SentPost(
        id: "1", url: nil, text: "a", visibility: nil, replyTo: nil,
        details: SentPost.Details(warning: warning, language: language, fileCount: files))
    }
    #expect(comparison.differences(in: post("w & x", "de", files: 2)) == [])
    #expect(comparison.differences(in: sent("1", "a")) == [], "the server does not report the details")
    let other = post("", "en", files: 1)
    #expect(
      comparison.differences(in: other) == [
        "the content warning is missing", "the language is en instead of de-AT", "the post has 1 instead of 2 files",
      ])
    #expect(
      comparison.differences(in: post("w", nil, files: 3)) == [
        "the content warning is different", "the language is not set instead of de-AT",
      ])
    #expect(comparison.lookUp(among: [other], knownBefore: [], claimed: []) == .found(other))
    #expect(PostComparison(PostDraft(text: "a"), replyTo: nil).differences(in: other) == [])
  }

  @Test("a retry sends only the descriptions that the server does not have, or all of them after a refusal")
  func descriptions() {
    var generator = SeededGenerator(seed: 1)
    let media = ["a", nil, "c"].map {
      PostMedia(path: "/a", fingerprint: "", size: 10, type: "image/png", description: $0)
    }
    var post = PostIntent(
      PostDraft(text: "files", media: media), by: PostIntent.Author(server: "s", userID: "1"), number: 1, at: noon,
      using: &generator)
    #expect(post.draft.descriptions == 2 && post.descriptionsOfRetry(at: noon) == 2)
    post.beginUpload(at: noon)
    post.reach(.undescribed(id: "1"), ofFile: 0, after: nil, lifetime: .seconds(60), at: noon)
    #expect(post.descriptionsOfRetry(at: noon) == 2)
    post.reach(.ready(id: "1"), ofFile: 0, after: nil, lifetime: nil, at: noon)
    #expect(post.descriptionsOfRetry(at: noon) == 1)
    // The server deletes the file.
    #expect(post.descriptionsOfRetry(at: noon + .seconds(60)) == 2)
    post.refuse("no", at: noon)
    #expect(post.descriptionsOfRetry(at: noon) == 2)
  }

  @Test("a sent post is recognised only if it is the only new post on the server with its text")
  func lookUp() {
    let comparison = PostComparison(PostDraft(text: "same"), replyTo: nil)
    let (old, new) = (sent("1", "same"), sent("2", "same"))
    func result(_ posts: [SentPost], known: Set<String>? = ["1"], claimed: Set<String> = []) -> SentPost? {
      if case .found(let post) = comparison.lookUp(among: posts, knownBefore: known, claimed: claimed) {
        post
      } else {
        nil
      }
    }
    #expect(result([new, old]) == new)
    #expect(result([old]) == nil)
    #expect(result([sent("3", "same"), new, old]) == nil, "two candidates")
    #expect(result([new, old], claimed: ["2"]) == nil)
    #expect(result([new, old], known: nil) == nil)
    let link = PostComparison(PostDraft(text: "https://example.org/"), replyTo: nil)
    #expect(
      link.lookUp(among: [sent("2", "https://other.example")], knownBefore: [], claimed: [])
        != .found(sent("2", "https://other.example")))
  }

  @Test("an intent's id is safe in a path, and its key has 128 bits")
  func identifiers() {
    var generator = SeededGenerator(seed: 1)
    let id = IntentID(using: &generator)
    #expect(IntentID(id.text) == id && id.text.hasPrefix("out-"))
    for text in ["", "out-", "out-../../etc", "out-4k7m2p9xq", "115586"] { #expect(IntentID(text) == nil) }
    #expect(IdempotencyKey(using: &generator).text.utf8.count == 32)
  }
}

let noon = Timestamp(seconds: 1_795_176_000)

func intent(_ number: Int, at time: Timestamp? = nil, replyTo: ReplyTarget? = nil) -> PostIntent {
  var generator = SeededGenerator(seed: UInt64(number))
  return PostIntent(
    PostDraft(text: "post \(number)", replyTo: replyTo, postAt: time),
    by: PostIntent.Author(server: "https://a.example", userID: "1"), number: number, at: noon, using: &generator)
}

func sent(_ id: String, _ text: String, _ visibility: PostVisibility? = nil, replyTo: String? = nil) -> SentPost {
  SentPost(id: id, url: nil, text: text, visibility: visibility, replyTo: replyTo)
}
