package import CivilTime
package import Settings

/// The arguments of the commands that read and change what is kept.
extension Command {
  package struct Search: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable { case text, json, jsonl }

    /// As the user typed it.
    package var query: String
    /// Nil means all accounts that have an archive.
    package var account: AccountName?
    /// Posts from this moment on; before `until`.
    package var since: Timestamp?
    package var until: Timestamp?
    /// A screen name without its @, as the user typed it: letter case is to be left aside.
    package var author: String?
    package var limit: Int
    package var format: Format

    package init(
      query: String, account: AccountName? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
      author: String? = nil, limit: Int = 20, format: Format = .text
    ) {
      self.query = query
      self.account = account
      self.since = since
      self.until = until
      self.author = author
      self.limit = limit
      self.format = format
    }
  }

  package struct Export: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable { case jsonl, json, csv }

    /// Nil means the only account that there is.
    package var account: AccountName?
    package var since: Timestamp?
    package var until: Timestamp?
    package var format: Format

    package init(
      account: AccountName? = nil, since: Timestamp? = nil, until: Timestamp? = nil, format: Format = .jsonl
    ) {
      self.account = account
      self.since = since
      self.until = until
      self.format = format
    }
  }

  package struct Import: Sendable, Hashable {
    /// `-` means standard input.
    package var file: String
    package var account: AccountName?

    package init(file: String, account: AccountName? = nil) {
      self.file = file
      self.account = account
    }
  }

  package struct Purge: Sendable, Hashable {
    package enum What: Sendable, Hashable {
      case post(String)
      /// A screen name without its @, as the user typed it: letter case is to be left aside.
      case author(String)
      case before(Timestamp)
      /// All posts of the account, which is then named.
      case everything
    }

    package var what: What
    /// Nil means every account that has an archive.
    package var account: AccountName?
    /// Only says what would be removed.
    package var isDryRun: Bool

    package init(what: What, account: AccountName? = nil, isDryRun: Bool = false) {
      self.what = what
      self.account = account
      self.isDryRun = isDryRun
    }
  }

  /// The arguments of `read`.
  package struct Mark: Sendable, Hashable {
    package var account: AccountName?
    /// A post's id; nil means the newest published one.
    package var upTo: String?

    package init(account: AccountName? = nil, upTo: String? = nil) {
      self.account = account
      self.upTo = upTo
    }
  }

  /// The arguments of `open`.
  package struct Open: Sendable, Hashable {
    package var account: AccountName?
    /// Instead of an account.
    package var view: AccountName?
    /// Whether only the page's path is printed.
    package var onlyPrints: Bool

    package init(account: AccountName? = nil, view: AccountName? = nil, onlyPrints: Bool = false) {
      self.account = account
      self.view = view
      self.onlyPrints = onlyPrints
    }
  }
}
