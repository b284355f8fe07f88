package import Settings

extension Command {
  /// The arguments of `show`.
  package struct Show: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable {
      /// For people.
      case text
      /// One array of posts as they stand in the file.
      case json
      /// A post a line.
      case jsonl
    }

    /// Nil means the only account that there is.
    package var account: AccountName?
    /// How many posts at most.
    package var limit: Int
    package var format: Format

    package init(account: AccountName? = nil, limit: Int = 20, format: Format = .text) {
      self.account = account
      self.limit = limit
      self.format = format
    }
  }
}
