import ControlProtocol
import Folders
import Platform
import Posting
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time

@testable import Web

/// The drafts of the web page on the disk.
@Suite("Drafts on the disk") struct DraftStoreTests {
  private let home = TemporaryFolder()
  private let now = Locked(Timestamp(seconds: 1_790_000_000))
  private let layout: FileLayout
  private let storage: FileStorage
  private let drafts: DraftStore
  private let boot = Locked(BootInstant(nanoseconds: 1_000_000_000))
  private let alarm = ScriptedAlarm()

  init() throws {
    layout = FileLayout(try #require(BaseDirectories(environment: ["HOME": home.path])))
    storage = FileStorage(layout)
    let (now, boot) = (now, boot)
    drafts = DraftStore(
      WebData(
        storage: storage, layout: layout, clock: WallClock { now.withLock { $0 } },
        settings: { Configuration(accounts: [], web: nil) },
        status: {
          ControlStatus(
            owner: ControlStatus.Owner(
              processID: 1, command: "daemon", version: "0", startedAt: Timestamp(seconds: 0), configuration: "/c",
              configurationProblem: nil),
            accounts: [])
        }), boot: { boot.withLock { $0 } }, makeAlarm: alarm.make)
  }

  private func id(_ digit: Character) throws -> DraftID { try #require(DraftID(String(repeating: digit, count: 32))) }

  private func store(_ digit: Character, withFile: Bool = false) throws -> WebDraft {
    var draft = WebDraft(id: try id(digit), at: now.withLock { $0 })
    draft.typed = [.account: "bird", .text: "\"Text\" \(digit)\n", .time: "2999-01-01T10:00"]
    if withFile {
      try drafts.create(1, of: draft.id).write([1])
      try drafts.adoptFile(1, of: draft.id)
      draft.files = [WebDraft.File(slot: 1, name: "ü.gif", size: 1, description: "one\ntwo")]
    }
    try drafts.save(draft)
    return draft
  }

  @Test("A draft is read as it was stored, and a record that is damaged or of another form is none")
  func record() throws {
    let draft = try store("a", withFile: true)
    #expect(drafts.draft(draft.id) == draft)
    let path = "\(layout.draftFolder)/web-\(draft.id.text)/draft.json"
    for text in ["", "{", "[]", #"{"files": [{"slot": "x"}]}"#] {
      try AtomicFile.write(Array(text.utf8), to: path, .replaced)
      #expect(drafts.draft(draft.id) == nil)
    }
    for text in ["", "..", "A" + draft.id.text.dropFirst(), draft.id.text + "a"] { #expect(DraftID(text) == nil) }
  }

  @Test("The files of a post that waits in an outbox outlive its draft, and files that nobody needs are removed")
  func cleaning() throws {
    let (waiting, lost) = (try store("a", withFile: true), try store("b", withFile: true))
    let path = drafts.path(of: 1, in: waiting.id)
    let media = PostMedia(path: path, fingerprint: "1", size: 1, type: "image/gif", description: nil)
    var generator = SeededGenerator(seed: 1)
    let intent = PostIntent(
      PostDraft(text: "", media: [media]), as: waiting.id.intent,
      by: PostIntent.Author(server: "https://a.example", userID: "1"), number: 1, at: now.withLock { $0 },
      using: &generator)
    let outbox = storage.outbox(of: try #require(AccountName("bird")))
    try outbox.write(intent)
    #expect(drafts.draft(waiting.id)?.sentBy == "bird", "the outbox has the post, even if the page does not know")
    #expect(drafts.written.map(\.id) == [lost.id])
    drafts.markSent(waiting, by: "bird")
    now.withLock { $0 = $0 + .seconds(86_500) }
    drafts.clean()
    #expect(File.exists(path) && !File.exists(drafts.path(of: 1, in: lost.id)))
    try outbox.remove(intent.id)
    #expect(try Folder.names(in: layout.draftFolder).isEmpty)
  }

  /// Advances the time, and rings the alarm if it is due.
  private func pass(_ duration: Duration) {
    now.withLock { $0 = $0 + duration }
    boot.withLock { $0 = $0 + duration }
    alarm.ring(at: boot.withLock { $0 })
  }

  @Test("A draft is removed when its day is over, and without drafts there is no alarm")
  func alarmed() async throws {
    let begin = boot.withLock { $0 }
    drafts.clean()
    #expect(alarm.due == nil)
    let first = try store("a", withFile: true)
    #expect(alarm.due == begin + .seconds(86_401))
    pass(.seconds(40_000))
    let second = try store("b")
    #expect(alarm.due == begin + .seconds(86_401), "the first is due first")
    pass(.seconds(46_401))
    let due = begin + .seconds(126_401)
    #expect(try await eventually { alarm.due == due && drafts.draft(first.id) == nil })
    #expect(drafts.draft(second.id) != nil)
    pass(.seconds(40_000))
    #expect(try await eventually { try alarm.due == nil && Folder.names(in: layout.draftFolder).isEmpty })
  }

  @Test("The alarm of a service that starts again is for the drafts that are left")
  func alarmedAgain() throws {
    _ = try store("a")
    drafts.clearAlarm()
    pass(.seconds(1000))
    drafts.clean()
    #expect(alarm.due == boot.withLock { $0 } + .seconds(85_401))
  }

  @Test("If an outbox cannot be read, nothing is removed, and the drafts are looked at again in a day")
  func unreadableOutbox() throws {
    let draft = try store("a", withFile: true)
    let account = try #require(AccountName("bird"))
    // A file in the place of the folder: the outbox exists, and cannot be listed.
    let folder = layout.files(of: account.text).outboxFolder
    try Folder.create(try #require(Folder.parent(of: folder)))
    try AtomicFile.write([1], to: folder, .replaced)
    #expect(throws: (any Error).self) { try storage.outbox(of: account).readable() }
    now.withLock { $0 = $0 + .seconds(90_000) }
    drafts.clean()
    #expect(File.exists(drafts.path(of: 1, in: draft.id)) && drafts.draft(draft.id) == draft)
    #expect(alarm.due == boot.withLock { $0 } + .seconds(86_401))
    try File.remove(folder)
    drafts.clean()
    #expect(drafts.draft(draft.id) == nil && alarm.due == nil)
  }

  @Test("A draft whose post is under way is neither listed nor removed")
  func underWay() throws {
    let draft = try store("0", withFile: true)
    drafts.postBegan(draft.id)
    #expect(drafts.written.isEmpty)
    for digit in "123456789" {
      now.withLock { $0 = $0 + .seconds(1) }
      _ = try store(digit)
    }
    now.withLock { $0 = $0 + .seconds(90_000) }
    drafts.clean()
    #expect(drafts.draft(draft.id) == draft && drafts.written.isEmpty)
    drafts.postEnded(draft.id)
    drafts.clean()
    #expect(drafts.draft(draft.id) == nil)
  }

  @Test("A draft that nobody can read is removed a day after its last change")
  func unreadable() throws {
    let folder = "\(layout.draftFolder)/web-\(String(repeating: "c", count: 32))"
    try Folder.create(folder)
    try AtomicFile.write([1], to: "\(folder)/1", .replaced)
    now.withLock { $0 = WallClock.system.now }
    drafts.clean()
    #expect(File.exists(folder))
    now.withLock { $0 = $0 + .seconds(86_500) }
    drafts.clean()
    #expect(!File.exists(folder))
  }
}
