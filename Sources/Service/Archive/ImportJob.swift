internal import CivilTime
internal import Platform
internal import Store

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
  private let path: String
  private let tell: (Progress) -> Void
  private let completion: (Result<ImportReport, Failure>) -> Void
  private var posts: StagedPosts
  private var progress = Progress()

  /// To be called on the lane's queue. The file is removed in the end, whatever came of it.
  static func begin(
    of account: Account, file: String, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, Failure>) -> Void
  ) {
    ImportJob(account, account.files.staged(file), tell: tell, completion: completion).goOn()
  }

  private init(
    _ account: Account, _ path: String, tell: @escaping (Progress) -> Void,
    completion: @escaping (Result<ImportReport, Failure>) -> Void
  ) {
    self.account = account
    self.path = path
    self.tell = tell
    self.completion = completion
    posts = StagedPosts(path)
  }

  private func goOn() {
    ArchiveJob.enqueue(of: account, publishing: false) {
      let portion: [ImportedPost]
      do throws(ImportError) { portion = try self.posts.next(Self.portion) } catch {
        throw Failure(error)
      }
      self.progress.new += try self.account.database.take(portion, at: self.account.clock.now)
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
    try? File.remove(path)
    completion(result)
  }
}

/// What an import has brought.
package struct ImportReport: Sendable, Hashable {
  package let new: Int
  /// How many were kept already, and stayed as they were.
  package let known: Int
}

extension Failure {
  init(_ error: ImportError) {
    switch error {
    case .system, .sqlite: self.init(.inputOutput, "\(error)")
    case .line, .row, .otherDatabase, .unfitDatabase, .databaseOnStandardInput: self.init(.badContent, "\(error)")
    }
  }
}
