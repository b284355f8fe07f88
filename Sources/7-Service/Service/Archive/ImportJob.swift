internal import Accounts
internal import Storage
internal import Time

/// Imports posts from a staged file, one portion per job on the account's queue, so that other jobs need not wait for a large file.
final class ImportJob {
  /// The progress of an import.
  struct Progress: Sendable {
    var done = 0
    var new = 0
    /// The number of posts in the file.
    var of = 0
  }

  private static let portion = 500

  private let account: Account
  private let tell: (Progress) -> Void
  private let completion: (Result<ImportReport, OperationError>) -> Void
  private let posts: any ImportSource
  private var progress = Progress()

  /// Begins an import. Call on the account's queue. The file is always removed at the end.
  static func begin(
    of account: Account, file: String, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, OperationError>) -> Void
  ) {
    ImportJob(account, account.store.importedPosts(file), tell: tell, completion: completion).proceed()
  }

  private init(
    _ account: Account, _ posts: any ImportSource, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, OperationError>) -> Void
  ) {
    self.account = account
    self.tell = tell
    self.completion = completion
    self.posts = posts
  }

  private func proceed() {
    ArchiveJob.enqueue(of: account, publishing: false) {
      let portion: [ImportedPost]
      do throws(StorageError) {
        if self.progress.of == 0 { self.progress.of = try self.posts.count() }
        portion = try self.posts.next(Self.portion)
      } catch { throw OperationError(error) }
      let now = self.account.clock.now
      self.progress.new += try self.account.store.write { (database, revision) throws(StorageError) in
        try database.importPosts(portion, at: now, expecting: revision)
      }
      self.progress.done += portion.count
      return portion.isEmpty
    } completion: { result in
      switch result {
      case .failure(let failure): self.end(.failure(failure))
      case .success(false):
        self.tell(self.progress)
        self.proceed()
      case .success(true): self.finish()
      }
    }
  }

  private func finish() {
    ArchiveJob.enqueue(of: account) {
      ImportReport(new: self.progress.new, known: self.progress.done - self.progress.new)
    } completion: {
      self.end($0)
    }
  }

  private func end(_ result: Result<ImportReport, OperationError>) {
    posts.remove()
    completion(result)
  }
}
