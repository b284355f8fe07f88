internal import HTTP

/// What the API v2 does on demand that clients do not expect.
package struct V2Faults: Sendable {
  /// The two ways in which X says that the credit is used up.
  package enum CreditWords: Sendable { case older, newer }

  /// Posts have a second version, under an id of its own.
  package struct Edits: Sendable {
    /// Each so-manieth post; at least 1.
    package let every: Int
    /// How long after the first version; at most 30 minutes at X.
    package let after: Duration

    package init(every: Int, after delay: Duration) {
      precondition(every >= 1, "every first post or rarer can be edited")
      self.every = every
      after = delay
    }
  }

  /// Answers say `posts` where they said `tweets`.
  package var usesNewNames = false
  /// No author comes along.
  package var omitsUsers = false
  /// Referenced posts do not come along; `errors` beside the data name them.
  package var losesReferences = false
  /// How far `result_count` is from the truth.
  package var countError = 0
  /// The last page names a next one too, which is empty.
  package var tokenLeadsNowhere = false
  /// The next page's token is the one of this page.
  package var tokenLoops = false
  package var edits: Edits?
  /// How many posts are paid for; nil for as many as anybody wants. Whoever has one left gets a whole page, like at X.
  package var credit: Int?
  package var creditWords = CreditWords.newer

  package init() {}
}
