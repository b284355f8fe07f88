internal import Folders
internal import Glibc
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time

/// The drafts of the web page: a folder `web-ID` for each, with its record and the files that the browser has sent.
///
/// A draft is kept for a day. Once its post is in the outbox, the files belong to the outbox, which removes them when the post is published
/// or discarded. The record remains for a day, so that a form sent again shows what became of the first one.
///
/// While a post is under way, the service may still read the draft's files. Such a draft is neither listed nor removed.
final class DraftStore: Sendable {
  /// The maximum number of drafts being written. A further one takes the place of the oldest.
  static let mostDrafts = 8
  /// The maximum number of records of posts that were sent.
  static let mostSent = 64
  static let lifetime = Duration.seconds(86_400)
  /// The space that is left free on the file system, so that tokens and posts can still be stored.
  private static let reserve: Int64 = 64 << 20
  private static let prefix = "web-"
  static let record = "draft.json"

  let folder: String
  let layout: FileLayout
  let storage: any StorageProvider
  let clock: WallClock
  private let alarm: DraftAlarm
  private let underWay = Locked<Set<DraftID>>([])

  /// - Parameters:
  ///   - boot: the clock of the alarm.
  ///   - makeAlarm: see ``DraftAlarm``.
  init(
    _ data: WebData, boot: @escaping @Sendable () -> BootInstant = { .now },
    makeAlarm: @escaping DraftAlarm.Make = DraftAlarm.system
  ) {
    layout = data.layout
    folder = layout.draftFolder
    storage = data.storage
    clock = data.clock
    alarm = DraftAlarm(boot: boot, make: makeAlarm)
  }

  // MARK: Reading

  /// Returns a draft; nil if there is none, or if its record cannot be read.
  func draft(_ id: DraftID) -> WebDraft? {
    guard let bytes = try? TrustedFile.readPrivate(path(Self.record, of: id), limit: WebDraft.sizeLimit),
      var draft = try? WebDraft(id: id, json: bytes)
    else { return nil }
    // The page may not know that the post reached the outbox.
    if draft.sentBy == nil, let account = AccountName(draft[.account]),
      storage.outbox(of: account).intent(id.intent) != nil
    {
      draft.sentBy = account.text
    }
    return draft
  }

  /// The drafts that are being written, the newest first.
  var written: [WebDraft] { all.filter { $0.sentBy == nil && !$0.isEmpty && !isUnderWay($0.id) } }

  private var all: [WebDraft] { ids.compactMap(draft).sorted { $0.changedAt > $1.changedAt } }

  var ids: [DraftID] {
    guard File.exists(folder), let names = try? Folder.names(in: folder) else { return [] }
    return names.filter { $0.hasPrefix(Self.prefix) }.compactMap { DraftID(String($0.dropFirst(Self.prefix.count))) }
  }

  /// Returns the path of a draft's file.
  func path(of slot: Int, in id: DraftID) -> String { path("\(slot)", of: id) }

  func path(_ name: String, of id: DraftID) -> String { "\(folder(of: id))/\(name)" }
  func folder(of id: DraftID) -> String { "\(folder)/\(Self.prefix)\(id.text)" }

  // MARK: Posts under way

  /// Returns whether the service may still read the draft's files.
  func isUnderWay(_ id: DraftID) -> Bool { underWay.withLock { $0.contains(id) } }

  /// Keeps a draft until ``postEnded(_:)``.
  func postBegan(_ id: DraftID) { underWay.withLock { _ = $0.insert(id) } }

  func postEnded(_ id: DraftID) { underWay.withLock { _ = $0.remove(id) } }

  // MARK: The alarm

  /// Has drafts cleaned after this time, unless that is due earlier.
  func setAlarm(in pause: Duration) { alarm.set(in: pause) { [weak self] in self?.clean() } }

  func clearAlarm() { alarm.clear() }

  // MARK: Writing

  /// Stores a draft. The oldest one is removed if there are too many.
  func save(_ draft: WebDraft) throws(SystemError) {
    var draft = draft
    draft.changedAt = clock.now
    if draft.sentBy == nil, !File.exists(path(Self.record, of: draft.id)) {
      for old in written.filter({ $0.id != draft.id }).dropFirst(Self.mostDrafts - 1) { remove(old.id) }
    }
    try WebFile.write(draft.json, to: path(Self.record, of: draft.id))
    setAlarm(in: Self.lifetime)
  }

  /// Creates an empty file for a slot of a draft. It takes the slot's place with ``adoptFile(_:of:)``, once the whole form has been read.
  func create(_ slot: Int, of id: DraftID) throws(SystemError) -> Descriptor {
    try Folder.create(folder(of: id))
    setAlarm(in: Self.lifetime)
    let path = newPath(of: slot, in: id)
    try File.remove(path)
    return try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
  }

  /// Replaces the file of a slot by the one that was created for it.
  func adoptFile(_ slot: Int, of id: DraftID) throws(SystemError) {
    try File.rename(newPath(of: slot, in: id), to: path(of: slot, in: id))
  }

  /// Removes the file that was created for a slot. The slot's former file remains.
  func removeNewFile(_ slot: Int, of id: DraftID) { try? File.remove(newPath(of: slot, in: id)) }

  private func newPath(of slot: Int, in id: DraftID) -> String { path("\(slot).new", of: id) }

  func removeFile(_ slot: Int, of id: DraftID) { try? File.remove(path(of: slot, in: id)) }

  /// Returns whether the file system has space for this many more bytes.
  func hasSpace(for bytes: Int) -> Bool {
    guard (try? Folder.create(folder)) != nil, let free = try? FreeSpace.of(folder).bytes else { return false }
    return free - Int64(bytes) >= Self.reserve
  }

  /// How many bytes files can use on the file system.
  var availableSpace: Int { (try? FreeSpace.of(folder).bytes).map { max(0, Int($0 - Self.reserve)) } ?? 0 }

  /// Records that a post is in the outbox, to which its files now belong.
  func markSent(_ draft: WebDraft, by account: String) {
    var record = WebDraft(id: draft.id, at: clock.now)
    record.sentBy = account
    record.sentDigest = WebDraft.digest(of: draft[.text])
    // The outbox recognises the post without the record.
    try? save(record)
  }

  func remove(_ id: DraftID) { FileLayout.removeTree(folder(of: id)) }
}
