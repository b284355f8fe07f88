import Posting
import Storage
import TestSupport
import Testing
import Time

/// How every store must handle outboxes.
@Suite struct OutboxStorageTests {
  private func intent(_ number: Int, _ draft: PostDraft = PostDraft(text: "hello")) -> PostIntent {
    var generator = SeededGenerator(seed: UInt64(number))
    return PostIntent(
      draft, by: PostIntent.Author(server: "https://a.example", userID: "1"), number: number, at: noon,
      using: &generator)
  }

  /// Returns an intent in each state, with all data that can be stored for it.
  private func states() -> [PostIntent] {
    var generator = SeededGenerator(seed: 16)
    let draft = PostDraft(
      text: "a \"quoted\"\nline \u{1F600}", visibility: .followers, warning: "w", language: "en", replyTo: .post("5"),
      postAt: noon + .seconds(60), trustsServer: true)
    let known: Set<String> = ["1", "2"]
    var (waiting, sending, repeated, posted, refused, unknown) = (
      intent(2, draft), intent(3), intent(4), intent(5), intent(6), intent(7)
    )
    waiting.postpone("no network", at: noon)
    sending.begin(settling: .lookUp(knownBefore: known), replyTo: "5", at: noon)
    for settlement in [PostSettlement.sameKey(for: .seconds(3600), knownBefore: nil)] {
      repeated.begin(settling: settlement, replyTo: nil, at: noon)
      repeated.end(.unanswered("lost", named: "8"), at: noon, using: &generator)
      repeated.end(.inconclusive("not there"), at: noon)
      posted.begin(settling: settlement, replyTo: "9", at: noon)
    }
    let post = SentPost(id: "8", url: "https://a.example/8", text: "other", visibility: .direct, replyTo: nil)
    posted.end(.posted(post), at: noon, using: &generator)
    refused.refuse("too long", at: noon)
    unknown.begin(settling: .lookUp(knownBefore: known), replyTo: "5", at: noon)
    unknown.end(.inconclusive("not there"), at: noon)
    var copied = intent(10)
    copied.begin(settling: .lookUp(knownBefore: known), replyTo: nil, at: noon)
    copied.end(.copyRefused("nonce used"), at: noon, using: &generator)
    let files = PostDraft(
      text: "files",
      media: (1...5).map {
        PostMedia(
          path: "/a \"\($0)\"", fingerprint: "1:\($0)", size: 1 << 40, type: "image/png",
          description: $0 == 1 ? nil : "d", keepsMetadata: $0 == 2)
      })
    var uploading = intent(8, files)
    uploading.beginUpload(at: noon)
    let stages: [MediaStage] = [
      .partial(id: "p", sent: 5_000_000), .processing(id: "q"), .undescribed(id: "r"), .ready(id: "s"),
    ]
    for (index, stage) in stages.enumerated() {
      uploading.reach(stage, ofFile: index, after: .seconds(2), lifetime: index == 3 ? nil : .seconds(60), at: noon)
    }
    return [
      intent(1, PostDraft(text: "r", replyTo: .intent(posted.id))), waiting, sending, repeated, posted, refused,
      unknown, uploading, copied,
    ]
  }

  @Test("an intent in any state is read back as it was written", arguments: StoreKind.allCases)
  func roundTrip(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    let outbox = store.provider.outbox(of: store.account)
    #expect(try outbox.load(at: noon) == OutboxContent(intents: []))
    let all = states()
    for intent in all.shuffled() { try outbox.write(intent) }
    #expect(try store.provider.outbox(of: store.account).load(at: noon) == OutboxContent(intents: all))
    #expect(all.allSatisfy { outbox.intent($0.id) == $0 } && outbox.intent(intent(9).id) == nil)
  }

  @Test(
    "writing an intent again replaces it, and removing one does not affect the others",
    arguments: StoreKind.allCases)
  func change(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    let outbox = store.provider.outbox(of: store.account)
    var (first, second) = (intent(1), intent(2))
    try outbox.write(first)
    try outbox.write(second)
    first.refuse("no", at: noon)
    try outbox.write(first)
    #expect(try outbox.load(at: noon).intents == [first, second])
    try outbox.remove(first.id)
    try outbox.remove(first.id)
    second.postpone("later", at: noon)
    try outbox.write(second)
    #expect(try outbox.load(at: noon).intents == [second])
  }
}
