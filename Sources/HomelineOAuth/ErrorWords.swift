/// What an error body says, before anyone has judged it.
struct ErrorWords {
  /// A number of the provider's.
  var code: Int?
  /// A value of `oauth_problem`.
  var problem: String?
  /// Its words, as they came.
  var text: String
  /// The `reason` of a problem document, else the last part of its `type` (RFC 9457 §3.1.1), such as `usage-capped`.
  var type: String?
}
