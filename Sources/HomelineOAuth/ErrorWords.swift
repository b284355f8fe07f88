/// What an error body says, before anyone has judged it.
struct ErrorWords {
  /// A number of the provider's.
  var code: Int?
  /// A value of `oauth_problem`.
  var problem: String?
  /// Its words, as they came.
  var text: String
}
