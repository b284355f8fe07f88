import Folders
import Platform
import Posting
import Storage
import StorageFiles
import StorageSQLite
import TestSupport
import Testing
import Time

/// The outbox, whose records are files.
@Suite struct OutboxStoreTests {
  private let folder = TemporaryFolder()
  private let now = Timestamp(seconds: 1_795_176_000)
  private var files: AccountFiles { FileLayout(BaseDirectories(environment: ["HOME": folder.path])!).files(of: "bird") }

  private func intent(_ number: Int) -> PostIntent {
    var generator = SeededGenerator(seed: UInt64(number))
    return PostIntent(
      PostDraft(text: "hello"), by: PostIntent.Author(server: "https://a.example", userID: "1"), number: number,
      at: now, using: &generator)
  }

  @Test("an unreadable outbox record is set aside and never sent, and the other records remain")
  func damaged() throws {
    let store = OutboxStore(files)
    try store.write(intent(1))
    try store.write(intent(2))
    let path = "\(files.outboxFolder)/\(intent(1).id).json"
    try AtomicFile.write(Array(#"{"schema":1,"state":"que"#.utf8), to: path, .replaced)
    let content = try store.load(at: now)
    #expect(content.intents == [intent(2)] && content.setAside.count == 1 && !File.exists(path))
    #expect(try store.load(at: now) == OutboxContent(intents: [intent(2)]))
  }

  @Test("an outbox record from a newer version is neither changed nor sent")
  func newer() throws {
    let store = OutboxStore(files)
    try store.write(intent(1))
    let path = "\(files.outboxFolder)/\(intent(1).id).json"
    try AtomicFile.write(Array(#"{"schema":3}"#.utf8), to: path, .replaced)
    #expect(try store.load(at: now) == OutboxContent(intents: []))
    #expect(try File.read(path, limit: 100) == Array(#"{"schema":3}"#.utf8))
  }

  @Test("outbox records with files have a schema that keeps earlier versions from sending them")
  func schemaOfFiles() throws {
    let store = OutboxStore(files)
    var generator = SeededGenerator(seed: 9)
    let media = PostMedia(path: "/a", fingerprint: "1", size: 2, type: "image/png", description: nil)
    let intent = PostIntent(
      PostDraft(text: "hello", media: [media]), by: intent(1).author, number: 1, at: now, using: &generator)
    try store.write(intent)
    let text = String(decoding: try File.read("\(files.outboxFolder)/\(intent.id).json", limit: 10_000), as: UTF8.self)
    #expect(text.contains("\"schema\": 2"), "\(text)")
  }

  @Test("outbox records have mode 0600, and other files in the folder are ignored")
  func privacy() throws {
    let store = OutboxStore(files)
    try store.write(intent(1))
    let path = "\(files.outboxFolder)/\(intent(1).id).json"
    #expect(try FileStatus.of(path).permissions == 0o600)
    for name in ["notes.txt", "out-x.json", "\(intent(3).id).json.new-1"] {
      try AtomicFile.write([1], to: "\(files.outboxFolder)/\(name)", .replaced)
    }
    #expect(try store.load(at: now) == OutboxContent(intents: [intent(1)]))
  }

  @Test(
    "the files of a post from the web page are removed once it is published or discarded; other files stay",
    arguments: [true, false])
  func filesOfDrafts(isPublished: Bool) throws {
    let store = OutboxStore(files)
    let draft = "\(files.draftFolder)/web-1"
    try Folder.create(draft)
    let paths = ["\(draft)/1", "\(draft)/2", "\(folder.path)/own", "\(files.draftFolder)-other"]
    for path in paths { try AtomicFile.write([1], to: path, .replaced) }
    var generator = SeededGenerator(seed: 9)
    let media = paths.map { PostMedia(path: $0, fingerprint: "1", size: 1, type: "image/png", description: nil) }
    let author = intent(1).author
    var sent = PostIntent(PostDraft(text: "", media: media), by: author, number: 1, at: now, using: &generator)
    try store.write(sent)
    sent.refuse("no", at: now)
    try store.write(sent)
    #expect(paths.allSatisfy(File.exists), "a refused post can be sent again")
    if isPublished {
      let post = SentPost(id: "1", url: nil, text: "", visibility: nil, replyTo: nil)
      try store.write(
        PostIntent(
          id: sent.id, number: 1, author: author, createdAt: now, draft: sent.draft, key: sent.key,
          state: .posted(post, at: now, differences: [])))
    } else {
      try store.remove(sent.id)
    }
    #expect(paths.map(File.exists) == [false, false, true, true])
    #expect(!File.exists(draft) && File.exists(files.draftFolder))
  }
}
