/// Responses of the API v2 that clients do not expect.
struct V2Quirks: Sendable {
  /// The two forms of the error that says the credit is used up.
  enum CreditError: Sendable { case older, newer }

  /// Responses use the names `posts` and `post` instead of `tweets` and `tweet`.
  var usesNewNames = false
  /// No authors are included.
  var omitsUsers = false
  /// Referenced posts are not included; `errors` beside the data names them.
  var losesReferences = false
  /// The difference between `result_count` and the true count.
  var countError = 0
  /// The last page has a `next_token` too, which leads to an empty page.
  var tokenLeadsNowhere = false
  /// The `next_token` of a page is the token of the same page.
  var tokenLoops = false
  var edits: PostEdits?
  /// How many posts are paid for; `nil` for any number. As at X, one remaining post still buys a whole page.
  var credit: Int?
  var creditError = CreditError.newer
}
