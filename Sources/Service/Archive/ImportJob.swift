internal import Accounts
internal import CivilTime
internal import Platform
internal import Storage

/// Takes posts in that lie in a staged file, a portion in each turn of the account's lane, so that nothing waits behind a large file.
final class ImportJob {
  /// What came of it until now.
  struct Progress: Sendable {
    var done = 0
    var new = 0
    /// How many posts the file has, as far as that is known before its end.
    var of = 0
  }

  private static let portion = 500

  private let account: Account
  private let tell: (Progress) -> Void
  private let completion: (Result<ImportReport, Failure>) -> Void
  private let posts: any ImportSource
  private var progress = Progress()

  /// To be called on the lane's queue. The file is removed in the end, whatever came of it.
  static func begin(
    of account: Account, file: String, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, Failure>) -> Void
  ) {
    ImportJob(account, account.importedPosts(file), tell: tell, completion: completion).goOn()
  }

  private init(
    _ account: Account, _ posts: any ImportSource, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, Failure>) -> Void
  ) {
    self.account = account
    self.tell = tell
    self.completion = completion
    self.posts = posts
  }

  private func goOn() {
    ArchiveJob.enqueue(of: account, publishing: false) {
      let portion: [ImportedPost]
      do throws(StorageError) { portion = try self.posts.next(Self.portion) } catch {
        throw Failure(error)
      }
      let now = self.account.clock.now
      self.progress.new += try self.account.write { (database, revision) throws(StorageError) in
        try database.importPosts(portion, at: now, expecting: revision)
      }
      self.progress.done += portion.count
      return portion.isEmpty
    } completion: { result in
      switch result {
      case .failure(let failure): self.end(.failure(failure))
      case .success(false):
        self.tell(self.progress)
        self.goOn()
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

  private func end(_ result: Result<ImportReport, Failure>) {
    posts.remove()
    completion(result)
  }
}

/// What an import has brought.
package struct ImportReport: Sendable, Hashable {
  package let new: Int
  /// How many were kept already, and stayed as they were.
  package let known: Int
}
