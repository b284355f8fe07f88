import TestSupport
import Testing
import Time

@testable import Posting

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

  @Test("after a lost response, homeline looks for the post before it sends it again under the same key")
  func lost() {
    var post = sending()
    let key = post.key
    end(&post, .unanswered("lost"))
    #expect(post.step(at: noon) == .wait(until: noon + .seconds(5)))
    for minute in 1...3 {
      let time = noon + .seconds(Int64(minute) * 600)
      #expect(post.step(at: time) == .lookUp)
      post.end(minute == 2 ? .failed("no network") : .inconclusive("not there"), at: time)
      #expect(post.key == key && post.step(at: time) == .send, "the key answers what the look does not")
      post.begin(settling: Self.lookUp, replyTo: nil, at: time)
      end(&post, .unanswered("status 500"), at: time)
    }
    #expect(post.step(at: noon - .seconds(60)) == .wait(until: noon + .seconds(2100)))
  }

  @Test("once the server may have forgotten the key, homeline looks for the post a last time")
  func forgottenKey() {
    var post = sending()
    end(&post, .unanswered("lost"))
    post.end(.inconclusive("not there"), at: noon + .seconds(3200))
    #expect(post.step(at: noon + .seconds(3300)) == .lookUp)
    post.end(.inconclusive("still not there"), at: noon + .seconds(3300))
    #expect(post.state == .unknown("still not there", at: noon + .seconds(3300)))
  }

  @Test("while the server limits requests, a post is neither looked for nor sent again")
  func limitedLook() {
    var post = sending()
    end(&post, .unanswered("lost"))
    post.end(.failed("slow down", until: noon + .seconds(900)), at: noon + .seconds(5))
    #expect(post.step(at: noon + .seconds(899)) == .wait(until: noon + .seconds(900)))
    #expect(post.step(at: noon + .seconds(900)) == .lookUp)
  }

  @Test("without a login, a post in doubt is tried again only after a pause")
  func withoutLogin() {
    var post = sending()
    end(&post, .unanswered("lost"))
    // Neither the look nor the repetition is possible.
    post.end(.failed("not authorised"), at: noon + .seconds(5))
    post.end(.failed("not authorised"), at: noon + .seconds(5))
    #expect(post.step(at: noon + .seconds(5)) == .wait(until: noon + .seconds(20)))
    #expect(post.step(at: noon + .seconds(20)) == .lookUp)
  }

  @Test("without a key, homeline looks for a post whose response was lost, and never sends it again")
  func withoutKey() {
    var post = sending(Self.lookUp)
    end(&post, .unanswered("lost"))
    #expect(post.step(at: noon + .seconds(5)) == .lookUp)
    post.end(.inconclusive("not there"), at: noon)
    #expect(post.state == .unknown("not there", at: noon) && post.step(at: noon + .seconds(9999)) == .nothing)
  }

  @Test("a post refused as a copy is looked for, and sent again if nothing was published")
  func copyRefused() {
    var post = sending(Self.lookUp)
    end(&post, .copyRefused("nonce used"))
    #expect(post.step(at: noon) == .wait(until: noon + .seconds(15)))
    #expect(!post.isUnsent && post.step(at: noon + .seconds(15)) == .lookUp)
    let again = noon + .seconds(15)
    post.end(.absent("not there"), at: again)
    #expect(post.step(at: again) == .send)
    post.begin(settling: Self.lookUp, replyTo: nil, at: again)
    end(&post, .copyRefused("nonce used"), at: again)
    #expect(post.step(at: again + .seconds(15)) == .lookUp)
    post.end(.absent("not there"), at: again + .seconds(15))
    #expect(post.state == .unknown("not there", at: again + .seconds(15)), "it is sent only twice")
  }

  @Test("a post refused as a copy is not sent again if the look proves nothing, or comes too late")
  func doubtfulCopy() {
    for (result, pause) in [(LookUpResult.inconclusive("x"), Int64(15)), (.absent("x"), 3600), (.absent("x"), -60)] {
      var post = sending(Self.lookUp)
      end(&post, .copyRefused("nonce used"))
      post.end(result, at: noon + .seconds(pause))
      #expect(post.state == .unknown("x", at: noon + .seconds(pause)))
    }
    var found = sending(Self.lookUp)
    end(&found, .copyRefused("nonce used"))
    found.end(.failed("no network"), at: noon + .seconds(15))
    #expect(found.step(at: noon + .seconds(30)) == .lookUp, "a look that failed is repeated")
    found.end(.found(SentPost(id: "2", url: nil, text: "hello", visibility: nil, replyTo: nil)), at: noon)
    #expect(found.isPosted)
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
    end(&post, .refused("token revoked", coversEarlier: false), at: noon + .seconds(6))
    #expect(post.step(at: noon + .seconds(60)) == .lookUp, "the first attempt may have published the post")
    post.begin(settling: Self.lookUp, replyTo: nil, at: noon + .seconds(60))
    end(&post, .refused("too long", coversEarlier: true), at: noon + .seconds(61))
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
    "once a clock that was far ahead is set back, no post waits for a time computed with the wrong clock")
  func clockSetBack() {
    var queued = intent(1)
    queued.postpone("no network", at: noon + .seconds(365 * 86_400))
    #expect(queued.step(at: noon) == .send)
    var sent = intent(2)
    sent.begin(settling: Self.lookUp, replyTo: nil, at: noon + .seconds(365 * 86_400))
    #expect(sent.step(at: noon) == .lookUp)
  }

  /// Returns the intent after another request of the account has succeeded; `nil` if it was not waiting for that.
  private func woken(_ intent: PostIntent, at time: Timestamp) -> PostIntent? {
    var intent = intent
    return intent.endPauseEarly(at: time) ? intent : nil
  }

  @Test("another request's success ends a pause only if the server gave no time, and only every second time")
  func endedEarly() throws {
    var post = sending()
    end(&post, .unsent("no network"))
    post = try #require(woken(post, at: noon))
    #expect(post.step(at: noon) == .send)
    post.begin(settling: Self.key, replyTo: nil, at: noon)
    end(&post, .unsent("no network"))
    #expect(woken(post, at: noon) == nil && post.step(at: noon) == .wait(until: noon + .seconds(15)))
    post.begin(settling: Self.key, replyTo: nil, at: noon + .seconds(15))
    end(&post, .unsent("no network"), at: noon + .seconds(15))
    post = try #require(woken(post, at: noon + .seconds(16)))

    var limited = sending()
    end(&limited, .postponed("limit", until: noon + .seconds(60)))
    #expect(woken(limited, at: noon) == nil && limited.step(at: noon) == .wait(until: noon + .seconds(60)))
  }

  @Test("a post that may have been published is never repeated sooner than after the shortest pause")
  func endedEarlyAfterSending() throws {
    var post = sending()
    #expect(woken(post, at: noon) == nil, "the server may still be working on the attempt")
    end(&post, .unanswered("500"))
    post = try #require(woken(post, at: noon))
    #expect(post.step(at: noon) == .wait(until: noon + .seconds(5)))
    post.begin(settling: Self.key, replyTo: nil, at: noon + .seconds(5))
    #expect(woken(post, at: noon + .seconds(6)) == nil)
    end(&post, .unanswered("500"), at: noon + .seconds(6))
    post.begin(settling: Self.key, replyTo: nil, at: noon + .seconds(30))
    end(&post, .unanswered("500"), at: noon + .seconds(30))
    #expect(post.step(at: noon + .seconds(31)) == .wait(until: noon + .seconds(90)))
    post = try #require(woken(post, at: noon + .seconds(31)))
    #expect(post.step(at: noon + .seconds(35)) == .lookUp)
    post.end(.failed("limit", until: noon + .seconds(600)), at: noon + .seconds(35))
    #expect(woken(post, at: noon + .seconds(36)) == nil)
    #expect(post.step(at: noon + .seconds(36)) == .wait(until: noon + .seconds(600)))
  }

  @Test("a report names what keeps each post waiting, until when and why")
  func reported() {
    var (first, second) = (intent(1), intent(2))
    let third = intent(3, at: noon + .seconds(600))
    first.postpone("social.example limits posts (429).", until: noon + .seconds(60), at: noon)
    second.postpone("x", at: noon)
    let posts = WaitingPost.all(of: [third, second, first], at: noon)
    #expect(posts.map(\.until) == [noon + .seconds(60), noon + .seconds(60), noon + .seconds(600)])
    #expect(posts.map(\.isScheduled) == [false, false, true])
    #expect(posts[0].reason == "social.example limits posts (429)")
    #expect(posts[1].reason == "the earlier post \(first.id) waits: social.example limits posts (429)")
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

  @Test("a post in doubt delays only the replies to it", arguments: [PostIntentTests.key, PostIntentTests.lookUp])
  private func doubt(settlement: PostSettlement) {
    var first = sending(settlement)
    end(&first, .unanswered("lost"))
    let (reply, other) = (intent(2, replyTo: .intent(first.id)), intent(3))
    #expect(OutboxPlan.next(of: [first, reply, other], at: noon) == .send(other, replyTo: nil))
    #expect(OutboxPlan.next(of: [first, reply], at: noon) == .wait(until: noon + .seconds(5)))
    #expect(OutboxPlan.next(of: [first, reply, other], at: noon + .seconds(5)) == .lookUp(first))
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

  @Test("a published post's intent is kept for a day, or longer while a reply to it is pending")
  func outdated() {
    var first = intent(1)
    first.state = .posted(sent("9", "post 1"), at: noon, differences: [])
    let reply = intent(2, replyTo: .intent(first.id))
    #expect(OutboxPlan.outdated([first], at: noon + .seconds(86_400)) == [])
    #expect(OutboxPlan.outdated([first], at: noon + .seconds(86_401)) == [first.id])
    #expect(OutboxPlan.outdated([first, reply], at: noon + .seconds(86_401)) == [])
  }

  @Test("the intent of a published post is kept while a post with the same text is in doubt")
  func keptForDoubt() {
    var (first, same) = (intent(1), sending(Self.lookUp))
    first.state = .posted(sent("9", "post 1"), at: noon, differences: [])
    same = PostIntent(
      id: IntentID("out-0000000000")!, number: 2, author: same.author, createdAt: noon, draft: same.draft,
      key: same.key, state: same.state)
    #expect(OutboxPlan.outdated([first, same], at: noon + .seconds(86_401)) == [])
    same.giveUp("not there", at: noon)
    #expect(OutboxPlan.outdated([first, same], at: noon + .seconds(86_401)) == [])
    same.recognise(sent("10", "post 1"), at: noon + .seconds(86_401))
    #expect(OutboxPlan.outdated([first, same], at: noon + .seconds(86_401)) == [first.id])
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

  @Test("a word before a link counts")
  func wordBeforeLink() {
    let comparison = PostComparison(PostDraft(text: "看http://app.example/1"), replyTo: nil)
    #expect(!comparison.hasSameText(sent("1", "听http://app.example/1")) && comparison.isDistinct)
  }

  @Test("a different text, visibility or reply counts as a difference between posts")
  func differences() {
    let comparison = PostComparison(PostDraft(text: "a", visibility: .direct), replyTo: "5")
    #expect(comparison.differences(in: sent("1", "a", .direct, replyTo: "5")) == [])
    #expect(
      comparison.differences(in: sent("1", "b", .followers)) == [
        "the server changed the text",
        "published for followers instead of the mentioned users; to take it back: homeline delete 1",
        "the post is not a reply to 5",
      ])
    #expect(
      PostComparison(PostDraft(text: "a", visibility: .everyone), replyTo: nil)
        .differences(in: sent("1", "a", .followers)) == ["the visibility is private instead of public"])
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
    let recognition = PostRecognition(of: draft, replyTo: nil, by: "1", sentAt: noon, knownBefore: [])
    #expect(recognition.find(among: [other], in: .ownPosts) == .found(other))
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

  @Test("an intent's id is safe in a path, and its key has 128 bits")
  func identifiers() {
    var generator = SeededGenerator(seed: 1)
    let id = IntentID(using: &generator)
    #expect(IntentID(id.text) == id && id.text.hasPrefix("out-"))
    for text in ["", "out-", "out-../../etc", "out-4k7m2p9xq", "115586"] { #expect(IntentID(text) == nil) }
    let key = IdempotencyKey(using: &generator)
    #expect(key.text.utf8.count == 32 && IdempotencyKey(stored: key.text) == key)
    for damaged in ["", "a b", "a\n", "é"] { #expect(IdempotencyKey(stored: damaged) == nil) }
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
