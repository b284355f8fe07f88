package import Accounts
internal import Dispatch
internal import Folders
internal import Platform
internal import PublishedFiles
package import Settings
package import Storage
internal import Time
package import Timeline

/// Users' requests about stored posts. Each completion is called once, on any queue.
extension AccountManager {
  /// Marks all posts of a timeline up to a given one as read.
  /// - Parameter id: the post; `nil` for the newest post.
  package func mark(
    _ account: AccountSettings, in timeline: TimelineName = .home, upTo id: PostID?,
    completion: @escaping @Sendable (Result<ReadMark, OperationError>) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async {
      ArchiveJob.enqueue(of: account) {
        let database = account.store.database
        let mark =
          if let id { try database.positions(of: id, in: timeline).first } else {
            try database.posts(of: timeline, below: nil, atMost: 1).first?.mark
          }
        if mark == nil, let id {
          throw OperationError(
            .badContent, "there is no post \(id) in the archive; homeline show --format jsonl prints ids")
        }
        try account.store.update { $0[timeline].readUpTo = mark }
        let unread = try mark.map {
          try database.countOfPosts(
            of: timeline, above: $0.key,
            upTo: account.store.knownState.publishedPosts(account.settings[timeline].keepPosts))
        }
        return ReadMark(upTo: mark?.id, unread: unread ?? 0)
      } completion: { result in
        account.core.shared.views.publishNow { completion(result) }
      }
    }
  }

  /// Removes posts permanently. When the completion is called, they have also been removed from views.
  /// - Parameter tell: called on the account's queue after each portion except the last one.
  package func purge(
    _ account: AccountSettings, _ purge: Purge, tell: @escaping @Sendable (PurgeRun) -> Void,
    completion: @escaping @Sendable (Result<Purged, OperationError>) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async {
      PurgeJob.begin(of: account, purge, tell: tell) { result in
        let media = account.core.shared.media
        account.core.shared.views.publishNow {
          self.afterPictures(of: account) {
            // The pages have been rewritten, so only pages that still show these pictures refer to them, and no others are being fetched.
            if case .success(let purged) = result { media?.remove(purged.pictures) }
            completion(result)
          }
        }
      }
    }
  }

  /// Counts the posts that a purge would remove.
  package func count(
    _ account: AccountSettings, _ purge: Purge,
    completion: @escaping @Sendable (Result<Purged, OperationError>) -> Void
  ) throws(OperationError) {
    let account = try self.account(account)
    account.queue.async {
      ArchiveJob.enqueue(of: account, publishing: false) {
        try account.store.database.count(of: purge)
      } completion: {
        completion($0)
      }
    }
  }

  /// Imports posts from a file staged in the account's data folder. The file is always removed afterwards.
  /// - Parameter tell: called on the account's queue after each portion.
  func take(
    _ account: AccountSettings, from file: String, tell: @escaping @Sendable (ImportJob.Progress) -> Void,
    completion: @escaping @Sendable (Result<ImportReport, OperationError>) -> Void
  ) throws(OperationError) {
    // The import removes this file at the end, so it must be a staged file.
    guard file.hasPrefix(AccountFiles.stagedPrefix) else {
      throw OperationError(
        .badContent, "\(file) was not prepared for an import: its name should begin with \(AccountFiles.stagedPrefix)")
    }
    let opened: Account
    do throws(OperationError) { opened = try self.account(account) } catch {
      storage.importedPosts(file, for: account.name).remove()
      throw error
    }
    opened.queue.async { ImportJob.begin(of: opened, file: file, tell: tell, completion: completion) }
  }

  /// Returns whether an account has a stored timeline.
  func hasArchive(_ account: AccountSettings) -> Bool { storage.hasTimeline(.home(of: account.name)) }
}

/// The newest post that the user has read in an account's timeline.
package struct ReadMark: Sendable, Hashable {
  package let upTo: PostID?
  /// The number of posts above it.
  package let unread: Int
}
