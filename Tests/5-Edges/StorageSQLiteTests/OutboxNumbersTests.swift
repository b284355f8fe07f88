import Folders
import Platform
import Storage
import TestSupport
import Testing
import Time

@testable import Posting
@testable import StorageFiles
@testable import StorageSQLite

/// Outbox records whose numbers are at and beyond the ends of every range. A trap ends the test process, and would end the service at each
/// start.
@Suite("Hostile numbers in the outbox") struct OutboxNumbersTests {
  private let folder = TemporaryFolder()
  private let now = Timestamp(seconds: 1_795_694_400)
  private var files: AccountFiles { FileLayout(BaseDirectories(environment: ["HOME": folder.path])!).files(of: "bird") }

  private static let author = PostIntent.Author(server: "https://a.example", userID: "1")

  private func intent(_ number: Int, _ draft: PostDraft = PostDraft(text: "hello")) -> PostIntent {
    var generator = SeededGenerator(seed: UInt64(number))
    return PostIntent(draft, by: Self.author, number: number, at: now, using: &generator)
  }

  /// One record for each state, with all its numbers.
  private func records() -> [PostIntent] {
    var generator = SeededGenerator(seed: 7)
    let file = PostMedia(path: "/p.png", fingerprint: "1:2:3:4", size: 12, type: "image/png", description: "a")
    let planned = intent(1, PostDraft(text: "planned", postAt: now + .seconds(72_000)))
    var failed = intent(2)
    failed.postpone("no network", at: now)
    var uploading = intent(3, PostDraft(text: "files", media: [file, file]))
    uploading.beginUpload(at: now)
    uploading.reach(.partial(id: "5", sent: 4), ofFile: 0, after: .seconds(5), lifetime: .seconds(60), at: now)
    var sending = intent(4)
    sending.begin(settling: .sameKey(for: .seconds(3600), knownBefore: ["9"]), replyTo: nil, at: now)
    var posted = sending
    posted.end(
      .posted(SentPost(id: "10", url: nil, text: "hello", visibility: nil, replyTo: nil)), at: now, using: &generator)
    var refused = intent(6)
    refused.refuse("no", at: now)
    return [planned, failed, uploading, sending, posted, refused]
  }

  @Test("a record with any number is either read as a post whose next steps do not trap, or set aside")
  func allNumbers() throws {
    var count = 0
    for record in records() {
      for (change, bytes) in HostileNumbers.documents(from: record.json) {
        guard let read = try? PostIntent(json: bytes, id: record.id) else { continue }
        use(read, change)
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test("several hostile numbers in one record do not trap either", arguments: 0..<UInt64(HostileNumbers.rounds))
  func combinations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for record in records() {
      let bytes = HostileNumbers.document(from: record.json, using: &generator)
      if let read = try? PostIntent(json: bytes, id: record.id) { use(read, "seed \(seed)") }
    }
  }

  /// Does with a post what the service and the commands do.
  private func use(_ read: PostIntent, _ change: String) {
    var generator = SeededGenerator(seed: 1)
    // What is written can be read again: no post is lost by an attempt.
    func expectReadable(_ intent: PostIntent) {
      #expect((try? PostIntent(json: intent.json, id: intent.id)) == intent, "\(change)")
    }
    expectReadable(read)
    for now in [now, Timestamp(milliseconds: 0), .latest] {
      _ = OutboxPlan.next(of: [read, intent(20)], at: now)
      _ = OutboxPlan.outdated([read], at: now)
      _ = read.pendingUploads(at: now)
      _ = read.descriptionsOfRetry(at: now)
      expectReadable(read.restored(at: now))
      var retried = read
      if retried.retry(at: now, using: &generator) { expectReadable(retried) }
      var next = read
      switch read.state {
      case .queued, .uploading:
        next.postpone("again", at: now)
        expectReadable(next)
        next.begin(settling: .lookUp(knownBefore: nil), replyTo: nil, at: now)
        expectReadable(next)
        var unauthorised = next
        unauthorised.end(.withoutLogin("revoked"), at: now, using: &generator)
        expectReadable(unauthorised)
        next.end(.unsent("no network"), at: now, using: &generator)
      case .sending(let attempt):
        if attempt.settlement.allowsRepetition(firstAt: attempt.firstAt, at: now) {
          next.begin(settling: attempt.settlement, replyTo: nil, at: now)
          expectReadable(next)
        }
        next.end(.unanswered("lost"), at: now, using: &generator)
      case .posted, .refused, .unknown: break
      }
      expectReadable(next)
    }
    for file in read.draft.media { _ = 0..<file.size }
    let sizes = read.draft.media.map(\.size).reduce(0, +)
    let sent = zip(read.uploads, read.draft.media).reduce(0) { $0 + $1.0.stage(at: now).sent(of: $1.1.size) }
    #expect(sent <= sizes, "\(change)")
    #expect(PostIntent.numbers.contains(PostIntent.number(after: read.number)), "\(change)")
  }

  @Test(
    "a record with an implausible number is set aside, and the other posts and the next number stay usable",
    arguments: [
      ("created_at", "9223372036854775807"), ("created_at", "-1"), ("number", "9223372036854775807"),
      ("since", "-9223372036854775808"), ("failures", "9223372036854775807"), ("failures", "-1"),
      ("post_at", "9223372036854775807"), ("post_at", "-9223372036854775808"), ("created_at", "1e308"),
    ])
  func setAside(member: String, value: String) throws {
    let store = OutboxStore(files)
    let damaged = intent(1, PostDraft(text: "planned", postAt: now + .seconds(72_000)))
    try store.write(damaged)
    try store.write(intent(2))
    let path = "\(files.outboxFolder)/\(damaged.id).json"
    let text = String(decoding: try File.read(path, limit: 10_000), as: UTF8.self)
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    try #require(try store.load(at: now).intents.count == 2)
    let line = try #require(text.split(separator: "\n").first { $0.contains("\"\(member)\":") })
    let changed = text.replacing(line, with: "  \"\(member)\": \(value)" + (line.hasSuffix(",") ? "," : ""))
    try AtomicFile.write(Array(changed.utf8), to: path, .replaced)
    let content = try store.load(at: now)
    #expect(content.intents == [intent(2)] && content.setAside.count == 1, "\(changed)")
    #expect(PostIntent.number(after: content.intents.map(\.number).max() ?? 0) == 3)
  }

  @Test("the last count of attempts without a login is kept, so that the record stays readable")
  func lastCountWithoutLogin() throws {
    var generator = SeededGenerator(seed: 1)
    var post = intent(1)
    post.awaitLogin("revoked", at: now)
    let text = String(decoding: post.json, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.contains("\"failures\":") })
    let last = line.replacing("1", with: "\(PostIntent.attempts.upperBound)")
    post = try PostIntent(json: Array(text.replacing(line, with: last).utf8), id: post.id)
    post.begin(settling: .lookUp(knownBefore: nil), replyTo: nil, at: now)
    post.end(.withoutLogin("revoked"), at: now, using: &generator)
    #expect(try PostIntent(json: post.json, id: post.id) == post)
    #expect(post.awaitsLogin)
  }

  @Test("the last number and the last count of attempts are kept instead of exceeded")
  func lastNumbers() {
    #expect(PostIntent.number(after: PostIntent.numbers.upperBound) == PostIntent.numbers.upperBound)
    #expect(PostIntent.number(after: 0) == 1)
    let earlier = intent(5)
    let later = PostIntent(
      id: earlier.id, number: 5, author: Self.author, createdAt: now + .seconds(1), draft: earlier.draft,
      key: earlier.key, state: earlier.state)
    #expect(PostIntent.isInOrder(earlier, later) && !PostIntent.isInOrder(later, earlier))
  }
}
