internal import Bytes
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
internal import Timeline

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
  package func descriptionRequests() -> [ClientRequest] {
    addresses.endpoint("statusnet/config.json").map { [.get($0, query: [])] } ?? []
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderFailure) -> PostingRules {
    if let response, response.isSuccess, let site = try? GNUSocialSite(response) {
      return PostingRules(
        keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, server: serverName,
        // GNU social treats this text as empty.
        refusedTexts: ["0"], length: .codePoints(limit: site.textLimit), media: MediaRules(descriptionLength: 0))
    }
    if let response, response.status == 408 || response.status == 429 || response.status >= 500 {
      throw classify(response)
        ?? .unreadable("The server responded with status \(response.status).")
    }
    return PostingRules(
      keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, server: serverName, refusedTexts: ["0"],
      length: .weighted(), media: .twitter)
  }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ClientRequest {
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
    let status = try? object(in: response, expected: "a post") { cursor in try TwitterStatus(&cursor) }
    if let status, let (post, entry) = status.published(permalink, in: response) {
      let isOwn = post.authorID == context.author.id && context.recognition(of: draft).isEarlier(post)
      if isOwn, status.isGNUSocial {
        return PostedResponse(
          .refused(
            "the server returned an older post; it probably interpreted the text as a command", coversEarlier: false))
      }
      return judge(post, entry, draft, context, at: response.receivedAt)
    }
    if response.isSuccess, Self.isError(response), let failure = classify(response) {
      switch failure {
      case .needsLogin(let message): return PostedResponse(.withoutLogin(message))
      case .nonceUsed(let message): return PostedResponse(.copyRefused(message))
      default: return PostedResponse(.refused(failure.message, coversEarlier: false))
      }
    }
    if let id = status?.id { return unproven("without a readable post", named: id) }
    return failedPost(response)
  }

  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ClientRequest? {
    addresses.userTimeline.map {
      .get(
        $0,
        query: [
          Parameter("user_id", userID), Parameter("count", "\(ownPostsPage)"), Parameter("tweet_mode", "extended"),
        ])
    }
  }

  package func ownPosts(from response: ProviderResponse) throws(ProviderFailure) -> [SentPost] {
    try value(.array, in: response, expected: "the user's posts") { cursor in
      var posts: [SentPost] = []
      try cursor.pageElements { cursor in
        if let (post, _) = try TwitterStatus(&cursor).published(permalink, in: response) { posts.append(post) }
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
  /// Returns the published post for comparison with the draft, and for the timeline; `nil` without an id, a time or a text, and for a
  /// repost.
  fileprivate func published(_ permalink: Permalink, in response: ProviderResponse) -> (SentPost, Page.Entry)? {
    guard reposted == nil, hasText, let createdAt, let entry = entry(permalink: permalink) else { return nil }
    let author = entry.post.author.id
    let post = SentPost(
      id: entry.post.id.text, url: entry.post.url, text: entry.post.text, visibility: nil,
      replyTo: entry.post.inReplyTo?.id.text, authorID: author.isEmpty ? nil : author,
      createdAt: response.local(createdAt))
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
