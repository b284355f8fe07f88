internal import CivilTime
internal import HomelineOAuth
internal import JSON
package import Posting
package import Timeline

extension Mastodon: PostingProvider {
  /// Returns two requests; the second one is for snac and for servers older than Mastodon 4.
  package func descriptionRequests() -> [ProviderRequest] {
    ["/api/v2/instance", "/api/v1/instance"].map { .get(place.endpoint($0), query: []) }
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderError) -> PostingRules {
    guard let response else { throw .unreadable("The server's description is missing.") }
    let instance = try read(response, .object, expected: "a description of the server") { cursor in
      try MastodonInstance(&cursor)
    }
    return instance.rules
  }

  package var apiScopes: APIScopes? { .mastodon }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ProviderRequest? {
    guard Self.isPlainID(id) else { return nil }
    let verb: String
    switch action.kind {
    case .delete: return .delete(place.endpoint("/api/v1/statuses/\(id)"))
    case .repost: verb = "reblog"
    case .like: verb = "favourite"
    case .bookmark: verb = "bookmark"
    }
    return .post(place.endpoint("/api/v1/statuses/\(id)/\(action.isUndone ? "un" : "")\(verb)"))
  }

  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? {
    guard action.kind == .repost, !action.isUndone else { return nil }
    let status = try? read(response, .object, expected: "a post") { cursor in try MastodonStatus(&cursor) }
    return status?.inner[.boosted] == nil ? nil : status?.entry
  }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ProviderRequest {
    var form = [Parameter("status", draft.text)] + media.map { Parameter("media_ids[]", $0) }
    if let replyTo { form.append(Parameter("in_reply_to_id", replyTo)) }
    if let visibility = draft.visibility { form.append(Parameter("visibility", visibility.rawValue)) }
    if let warning = draft.warning { form.append(Parameter("spoiler_text", warning)) }
    if let language = draft.language { form.append(Parameter("language", language)) }
    return ProviderRequest(
      method: "POST", url: place.endpoint("/api/v1/statuses"), form: form,
      headers: [ProviderRequest.Header(name: "Idempotency-Key", value: key.text)])
  }

  package func posted(
    from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext
  ) -> PostedResponse {
    let status = try? read(response, .object, expected: "a post") { cursor in try MastodonStatus(&cursor) }
    if let status, let post = status.sentPost { return PostedResponse(.posted(post), entry: status.entry) }
    if response.status == 422, let failure = classify(response), failure.message.contains("not finished processing") {
      return PostedResponse(.postponed(failure.message, until: response.receivedAt + .seconds(10)))
    }
    if draft.replyTo != nil, presence(from: response) == .gone {
      return PostedResponse(.rejected(unknownReplyTarget, coversEarlier: false))
    }
    // Mastodon and Pleroma look for the key before they validate the post.
    return failedPost(response, coversEarlier: response.status == 422)
  }

  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ProviderRequest? {
    guard Self.isPlainID(userID) else { return nil }
    return .get(
      place.endpoint("/api/v1/accounts/\(userID)/statuses"),
      query: [Parameter("limit", "\(ownPostsPage)"), Parameter("exclude_reblogs", "true")])
  }

  package func ownPosts(from response: ProviderResponse) throws(ProviderError) -> [SentPost] {
    try read(response, .array, expected: "the user's posts") { cursor in
      var posts: [SentPost] = []
      try cursor.pageElements { cursor in
        if let post = try MastodonStatus(&cursor).sentPost { posts.append(post) }
      }
      return posts
    }
  }
}

extension MastodonStatus {
  /// The published post for comparison with the draft; `nil` if it has no id or no time, as is the case for a scheduled post.
  fileprivate var sentPost: SentPost? {
    guard let id, createdAt != nil, inner[.boosted] == nil else { return nil }
    return SentPost(
      id: id, url: page, text: PlainHTML.text(content ?? "", omitting: nil, anchor: MastodonNames(mentions).shown),
      visibility: visibility.flatMap { PostVisibility(rawValue: $0) }, replyTo: repliedID,
      details: SentPost.Details(warning: warning ?? "", language: language, fileCount: media.count))
  }
}
