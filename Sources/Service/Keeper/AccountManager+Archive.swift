package import Accounts
internal import CivilTime
internal import Dispatch
internal import Files
internal import Media
internal import Platform
internal import Publishing
package import Settings
package import Storage
package import Timeline

/// What a user does with what is kept. Each completion is called once, on a queue of the account.
extension AccountManager {
  /// Marks everything up to a post as read.
  /// - Parameter id: `nil` for the newest post.
  package func mark(
    _ account: AccountSettings, upTo id: PostID?,
    completion: @escaping @Sendable (Result<ReadMark, Failure>) -> Void
  ) throws(Failure) {
    let account = try self.account(account)
    account.queue.async {
      ArchiveJob.enqueue(of: account) {
        let mark = try account.database.position(ofPost: id)
        if mark == nil, let id {
          throw Failure(.badContent, "there is no post \(id) in the archive; homeline show --format jsonl tells ids")
        }
        try account.update { $0.readUpTo = mark }
        let unread = try mark.map { try account.database.countOfPosts(above: $0.key, upTo: account.settings.keepPosts) }
        return ReadMark(upTo: mark?.id, unread: unread ?? 0)
      } completion: { result in
        account.publishers.views.publishNow { completion(result) }
      }
    }
  }

  /// Removes posts for good. They are gone from views too when it is completed.
  /// - Parameter tell: told on a queue of the account after each portion that is followed by others.
  package func purge(
    _ account: AccountSettings, _ purge: Purge, tell: @escaping @Sendable (PurgeRun) -> Void,
    completion: @escaping @Sendable (Result<Purged, Failure>) -> Void
  ) throws(Failure) {
    let account = try self.account(account)
    account.queue.async {
      PurgeJob.begin(of: account, purge, tell: tell) { result in
        let media = account.media
        account.publishers.views.publishNow {
          // No page names them any more but those that still show them.
          if case .success(let purged) = result { media?.remove(purged.pictures) }
          completion(result)
        }
      }
    }
  }

  /// What a purge would remove.
  package func count(
    _ account: AccountSettings, _ purge: Purge,
    completion: @escaping @Sendable (Result<Purged, Failure>) -> Void
  ) throws(Failure) {
    let account = try self.account(account)
    account.queue.async {
      ArchiveJob.enqueue(of: account, publishing: false) {
        try account.database.count(of: purge)
      } completion: {
        completion($0)
      }
    }
  }

  /// Takes in the posts of a file that lies in the account's data folder for this. It is gone afterwards, whatever came of it.
  /// - Parameter tell: told on a queue of the account after each portion.
  func take(
    _ account: AccountSettings, from file: String, tell: @escaping @Sendable (ImportJob.Progress) -> Void,
    completion: @escaping @Sendable (Result<ImportReport, Failure>) -> Void
  ) throws(Failure) {
    // Whatever is named is removed in the end.
    guard file.hasPrefix(AccountFiles.stagedPrefix) else {
      throw Failure(
        .badContent, "\(file) was not laid down for an import; its name would begin with \(AccountFiles.stagedPrefix)")
    }
    let opened: Account
    do throws(Failure) { opened = try self.account(account) } catch {
      storage.importedPosts(file, for: account.name).remove()
      throw error
    }
    opened.queue.async { ImportJob.begin(of: opened, file: file, tell: tell, completion: completion) }
  }

  /// Whether anything is kept of an account.
  func hasArchive(_ account: AccountSettings) -> Bool { storage.hasTimeline(.home(of: account.name)) }
}

/// Up to where an account is read.
package struct ReadMark: Sendable, Hashable {
  package let upTo: PostID?
  /// How many posts are newer.
  package let unread: Int
}
