internal import HomelineOAuth

/// What X's refusals say beyond what is known of all providers'.
enum XRefusal {
  /// A 401 that gives no reason: `{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}`.
  static func isBareUnauthorized(_ answer: ProviderAnswer) -> Bool {
    guard answer.status == 401, let refusal = refusal(answer) else { return false }
    return refusal.code == nil && refusal.problem == nil && refusal.type == "about:blank"
      && refusal.message == "Unauthorized"
  }

  /// A 400 that complains of `since_id`, in its words or in the list of parameters.
  static func namesSince(_ answer: ProviderAnswer) -> Bool {
    answer.status == 400 && String(decoding: answer.body.prefix(8192), as: UTF8.self).contains("since_id")
  }

  /// Whether a token or a code is no longer good, in X's own words for it.
  static func isDeadToken(_ refusal: OAuth2Refusal) -> Bool {
    refusal.code == "invalid_request" && (refusal.description ?? "").hasPrefix("Value passed for the ")
      && (refusal.description ?? "").contains("was invalid")
  }

  private static func refusal(_ answer: ProviderAnswer) -> ProviderRefusal? {
    ProviderRefusal(Answer(answer, readsChallenges: false), expecting: "JSON")
  }
}
