/// Responses in the v2 API that clients do not expect.
struct V2Quirks: Sendable {
  /// The two forms of the error that reports exhausted credit.
  enum CreditError: Sendable { case older, newer }

  /// Whether responses use the names `posts` and `post` instead of `tweets` and `tweet`.
  var usesNewNames = false
  /// Whether authors are left out.
  var omitsUsers = false
  /// Whether referenced posts are left out; `errors`, next to the data, lists them.
  var losesReferences = false
  /// The difference between `result_count` and the actual count.
  var countError = 0
  /// Whether the last page also has a `next_token`, which leads to an empty page.
  var tokenLeadsNowhere = false
  /// Whether the `next_token` of a page leads to the same page.
  var tokenLoops = false
  var edits: PostEdits?
  /// The number of posts that have been paid for; `nil` for no limit. As on X, a whole page is returned even if only one post is left.
  var credit: Int?
  var creditError = CreditError.newer
}
