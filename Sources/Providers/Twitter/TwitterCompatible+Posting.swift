internal import HomelineOAuth
internal import JSON
internal import PostText
package import Posting
package import Timeline

extension Twitter: PostingProvider {}
extension SandboxProvider: PostingProvider {}

/// Posting through Twitter's v1.1 API, as compatible servers support it. No such server is known to honour an idempotency key.
extension TwitterCompatible where Self: PostingProvider {
  package var postingObjection: String? {
    if XServer.isOwn(addresses.homeTimeline.host) {
      return "X has closed its v1.1 API, so homeline cannot post there with the provider \(name)"
    }
    guard addresses.update == nil else { return nil }
    return "homeline cannot tell where to post: the account's \"home_timeline\" does not end in /home_timeline.json"
  }

  /// Returns the request for GNU social's configuration, which other servers do not have.
  package func descriptionRequests() -> [ProviderRequest] {
    addresses.endpoint("statusnet/config.json").map { [.get($0, query: [])] } ?? []
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderError) -> PostingRules {
    if let response, response.isSuccess, let site = try? GNUSocialSite(response) {
      return PostingRules(
        keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, software: "GNU social",
        // GNU social treats this text as empty.
        refusedTexts: ["0"], length: .codePoints(limit: site.textLimit), media: MediaRules(descriptionLength: 0))
    }
    if let response, response.status == 408 || response.status == 429 || response.status >= 500 {
      throw classify(response).map { .refused($0) }
        ?? .unreadable("The server responded with status \(response.status).")
    }
    return PostingRules(
      keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, software: "the v1.1 API", refusedTexts: ["0"],
      length: .weighted(), media: .twitter)
  }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ProviderRequest {
    guard let update = addresses.update else { preconditionFailure("the objection was ignored") }
    var form = [Parameter("status", draft.text), Parameter("tweet_mode", "extended")]
    if !media.isEmpty { form.append(Parameter("media_ids", media.joined(separator: ","))) }
    if let replyTo { form.append(Parameter("in_reply_to_status_id", replyTo)) }
    return .post(update, form: form)
  }

  /// Reads the response to a new post. GNU social first tries to interpret the text as a command, such as `off`. If that succeeds, it
  /// publishes nothing, and its response is the user's newest post. It also sends errors with status 200.
  package func posted(
    from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext
  ) -> PostedResponse {
    let read = try? object(in: response, expected: "a post") { cursor in try TwitterStatus(&cursor).published(permalink)
    }
    guard let (post, entry) = read else {
      if response.isSuccess, Self.isError(response), let failure = classify(response) {
        if case .needsLogin(let message) = failure { return PostedResponse(.withoutLogin(message)) }
        return PostedResponse(.rejected(failure.message, coversEarlier: false))
      }
      return failedPost(response)
    }
    guard !PostComparison(draft, replyTo: nil).hasSameText(post) else {
      return PostedResponse(.posted(post), entry: entry)
    }
    switch context.knownBefore?.contains(post.id) {
    case true?:
      return PostedResponse(
        .rejected(
          "the server returned an older post; it probably interpreted the text as a command", coversEarlier: false)
      )
    case nil: return PostedResponse(.unanswered("the server returned a different post", until: nil))
    case false?: return PostedResponse(.posted(post), entry: entry)
    }
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ProviderRequest? {
    let isPlain = !id.isEmpty && id.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain else { return nil }
    let path: String
    var form: [Parameter] = []
    switch action.kind {
    case .delete: path = "statuses/destroy/\(id).json"
    case .repost: path = "statuses/\(action.isUndone ? "un" : "")retweet/\(id).json"
    case .like:
      path = "favorites/\(action.isUndone ? "destroy" : "create").json"
      form.append(Parameter("id", id))
    case .bookmark: return nil
    }
    return addresses.endpoint(path).map { .post($0, form: form) }
  }

  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? {
    guard action.kind == .repost, !action.isUndone else { return nil }
    let status = try? object(in: response, expected: "a post") { cursor in try TwitterStatus(&cursor) }
    return status?.reposted == nil ? nil : status?.entry(permalink: permalink)
  }

  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ProviderRequest? {
    addresses.userTimeline.map {
      .get(
        $0,
        query: [
          Parameter("user_id", userID), Parameter("count", "\(ownPostsPage)"), Parameter("tweet_mode", "extended"),
        ])
    }
  }

  package func ownPosts(from response: ProviderResponse) throws(ProviderError) -> [SentPost] {
    try value(.array, in: response, expected: "the user's posts") { cursor in
      var posts: [SentPost] = []
      try cursor.pageElements { cursor in
        if let (post, _) = try TwitterStatus(&cursor).published(permalink) { posts.append(post) }
      }
      return posts
    }
  }

  /// Returns whether the response is an object with an error.
  static func isError(_ response: ProviderResponse) -> Bool {
    var cursor = JSONCursor(response.body)
    var isError = false
    try? cursor.members { cursor, name in
      if name == "error" || name == "errors" { isError = true }
      try cursor.skip()
    }
    return isError
  }
}

extension TwitterStatus {
  /// Returns the published post for comparison with the draft, and for the timeline; `nil` without an id or a time, and for a repost.
  fileprivate func published(_ permalink: Permalink) -> (SentPost, Page.Entry)? {
    guard reposted == nil, let entry = entry(permalink: permalink) else { return nil }
    let post = SentPost(
      id: entry.post.id.text, url: entry.post.url, text: entry.post.text, visibility: nil,
      replyTo: entry.post.inReplyTo?.id.text)
    return (post, entry)
  }
}

extension MediaRules {
  /// According to X's documentation of `media/upload`: four pictures, or one animation or video.
  fileprivate static let twitter = MediaRules(
    maximumCount: 4, types: twitterTypes, imageSize: 15_000_000, videoSize: 512_000_000, descriptionLength: 1000,
    partSize: twitterPartSize)
}

/// The configuration of a GNU social site (`statusnet/config.json`).
private struct GNUSocialSite {
  /// The maximum length of a post in characters; `nil` for no limit.
  private(set) var textLimit: Int?

  private struct NotGNUSocialError: Error {}

  init(_ response: ProviderResponse) throws {
    var cursor = JSONCursor(response.body)
    var textLimit: Int?
    var isSite = false
    try cursor.lenientMembers { cursor, name in
      guard name == "site" else {
        try cursor.skip()
        return
      }
      try cursor.lenientMembers { cursor, name in
        guard name == "textlimit" else {
          try cursor.skip()
          return
        }
        isSite = true
        textLimit = try cursor.limit()
      }
    }
    guard isSite else { throw NotGNUSocialError() }
    self.textLimit = textLimit
  }
}
