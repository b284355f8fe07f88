internal import Folders
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time

extension DraftStore {
  /// Removes what is older than a day, and files that no post in an outbox refers to. If an outbox cannot be read, nothing is removed.
  ///
  /// Sets the alarm for the day's end of the drafts that remain.
  func clean() {
    clearAlarm()
    let drafts = ids.map { (id: $0, draft: draft($0)) }.map { id, draft in
      (id: id, isSent: draft?.sentBy != nil, changedAt: draft?.changedAt ?? changedAt(id))
    }.sorted { $0.changedAt > $1.changedAt }
    var used: Set<String>?
    var sent = 0
    for draft in drafts {
      if draft.isSent { sent += 1 }
      let age = clock.now - draft.changedAt
      guard age > Self.lifetime || draft.isSent && sent > Self.mostSent else {
        setAlarm(in: Self.lifetime - age)
        continue
      }
      // What has to stay is looked at again in a day.
      guard let others = used ?? (try? foldersInOutboxes()) else { return setAlarm(in: Self.lifetime) }
      used = others
      if others.contains(folder(of: draft.id)) {
        setAlarm(in: Self.lifetime)
        // Only the post in the outbox needs the folder now.
        if draft.isSent { try? File.remove(path(Self.record, of: draft.id)) }
      } else if isUnderWay(draft.id) {
        setAlarm(in: Self.lifetime)
      } else {
        remove(draft.id)
      }
    }
  }

  /// When a folder without a readable record was last changed.
  private func changedAt(_ id: DraftID) -> Timestamp {
    guard let facts = try? FileStatus.of(folder(of: id)) else { return clock.now }
    return Timestamp(seconds: facts.modified / 1_000_000_000)
  }

  /// The folders with files of posts in outboxes.
  private func foldersInOutboxes() throws -> Set<String> {
    var folders: Set<String> = []
    for account in try layout.accountFolders().compactMap({ AccountName($0) }) {
      for intent in try storage.outbox(of: account).readable() {
        folders.formUnion(intent.draft.media.compactMap { Folder.parent(of: $0.path) })
      }
    }
    return folders
  }
}
