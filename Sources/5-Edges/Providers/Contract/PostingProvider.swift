package import HTTPClient
package import Posting
internal import Time
package import Timeline

/// A provider where users can publish posts.
package protocol PostingProvider: Provider {
  /// The reason homeline cannot post to this server; `nil` if none is known.
  var postingObjection: String? { get }

  /// Returns the requests for the server's description, in order of preference; empty if the rules depend only on the provider. If the
  /// response to a request is 404, the next one is sent.
  func descriptionRequests() -> [ClientRequest]

  /// Returns the server's rules for posts.
  /// - Parameter response: the response to one of `descriptionRequests()`, with status 404 only if it was the last one; `nil` if there are
  ///   no such requests.
  func postingRules(from response: ProviderResponse?) throws(ProviderFailure) -> PostingRules

  /// Returns the reason the provider would not publish the post, judging by the post alone; `nil` if none is known.
  func objection(to draft: PostDraft) -> String?

  /// Returns the reason the provider does not offer an action; `nil` if none is known.
  func objection(to action: PostAction) -> String?

  /// Returns the request to look at a post before an action; `nil` if the provider charges for it, or does not support it for this id.
  func lookRequest(at id: String) -> ClientRequest?

  /// Reads the response to `lookRequest(at:)`.
  func look(from response: ProviderResponse, at id: String) -> PostLook

  /// Returns the request for an action on a post; `nil` if the provider does not offer the action, or does not offer it for this id.
  /// - Parameter userID: the id of the user who acts.
  func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ClientRequest?

  /// Returns the request for an action on a post that was looked at; `nil` as for `actionRequest(_:on:by:)` with an id.
  func actionRequest(_ action: PostAction, on post: SeenPost, by userID: String) -> ClientRequest?

  /// Returns whether a successful response to `actionRequest(_:on:by:)` confirms that the action took effect.
  func confirms(_ action: PostAction, in response: ProviderResponse) -> Bool

  /// Returns the post that an action has added to the user's timeline, or that an undone repost has left there; `nil` if there is none.
  /// - Parameter response: a successful response to `actionRequest(_:on:by:)`.
  func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry?

  /// Returns the id of the post that a stored post reposts; `nil` if it is not a repost.
  /// - Parameter source: the provider's JSON of the stored post.
  func repostedID(in source: [UInt8]) -> String?

  /// The scopes of the provider's API; `nil` if posting needs no scopes.
  var apiScopes: APIScopes? { get }

  /// Returns the next request of a file's upload; `nil` if the file is ready, or if it is sent with the post.
  func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ClientRequest?

  /// Returns the request that older servers need instead of `mediaRequest(for:after:_:)` if the response has status 404; `nil` if there is
  /// none.
  func olderMediaRequest(for media: PostMedia, after stage: MediaStage) -> ClientRequest?

  /// Reads the response to `mediaRequest(for:after:_:)`.
  func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult

  /// Returns the request that publishes a post. A file that is not uploaded in advance is part of this request (``FileForm``).
  /// - Parameters:
  ///   - media: the ids of the uploaded files on the server, in the order of the files in the draft.
  ///   - replyTo: the id of the post that this one replies to.
  ///   - key: the idempotency key, sent to servers that may honour it.
  func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ClientRequest

  /// Reads the response to `postingRequest(_:media:replyTo:key:)`.
  func posted(from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext) -> PostedResponse

  /// Returns the request for the user's newest posts; `nil` if there is none.
  /// - Parameter known: the ids of known posts; `nil` before the first request. A provider that charges for each post need not send
  ///   these posts again.
  func ownPostsRequest(userID: String, after known: Set<String>?) -> ClientRequest?

  /// The maximum number of posts in a response to `ownPostsRequest(userID:after:)`.
  var ownPostsPage: Int { get }

  /// Reads the response to `ownPostsRequest(userID:after:)`, or to `homeRequest(showing:)`.
  func ownPosts(from response: ProviderResponse) throws(ProviderFailure) -> [SentPost]

  /// Returns the request for the post that a response names without showing whose post it is; `nil` if there is none. The user's newest
  /// posts then decide.
  func namedPostRequest(id: String) -> ClientRequest?

  /// Reads the response to `namedPostRequest(id:)`; `nil` if it contains no post.
  func namedPost(from response: ProviderResponse) -> SentPost?

  /// Returns the request for the newest page of the home timeline, which may show a new post that the user's own posts omit; `nil` if it
  /// shows no such posts.
  func homeRequest(showing draft: PostDraft) -> ClientRequest?

  /// Returns a post of the home timeline for comparison with a draft; `nil` for a repost.
  /// - Parameter ahead: how far the server's clock is ahead of this machine's.
  func sentPost(in entry: Page.Entry, ahead: Duration) -> SentPost?
}

extension PostingProvider {
  package var postingObjection: String? { nil }
  package var ownPostsPage: Int { 40 }
  package func objection(to draft: PostDraft) -> String? { nil }
  package func objection(to action: PostAction) -> String? { nil }
  package func lookRequest(at id: String) -> ClientRequest? { nil }
  package func look(from response: ProviderResponse, at id: String) -> PostLook { .unclear }
  package func actionRequest(_ action: PostAction, on post: SeenPost, by userID: String) -> ClientRequest? {
    actionRequest(action, on: post.target(of: action), by: userID)
  }
  package func confirms(_ action: PostAction, in response: ProviderResponse) -> Bool { true }
  package func repostedID(in source: [UInt8]) -> String? { nil }
  package func descriptionRequests() -> [ClientRequest] { [] }
  package var apiScopes: APIScopes? { nil }
  package func namedPostRequest(id: String) -> ClientRequest? { nil }
  package func namedPost(from response: ProviderResponse) -> SentPost? { nil }
  package func homeRequest(showing draft: PostDraft) -> ClientRequest? { nil }

  package func sentPost(in entry: Page.Entry, ahead: Duration) -> SentPost? {
    let post = entry.post
    guard post.repostedBy == nil else { return nil }
    return SentPost(
      id: post.id.text, url: post.url, text: post.text, visibility: nil, replyTo: post.inReplyTo?.id.text,
      authorID: post.author.id, createdAt: Timestamp(seconds: post.createdAt.seconds) - ahead)
  }

  /// Returns the meaning of a successful response that contains a post. Only this function decides that a response proves a new post.
  /// - Parameters:
  ///   - entry: the post for the account's timeline.
  ///   - mayOmitAuthor: whether the API's responses to new posts may lack the author.
  func judge(
    _ answer: SentPost, _ entry: Page.Entry?, _ draft: PostDraft, _ context: PostingContext,
    at now: Timestamp, mayOmitAuthor: Bool = false
  ) -> PostedResponse {
    if context.recognition(of: draft).isProven(by: answer, at: now, mayOmitAuthor: mayOmitAuthor) {
      return PostedResponse(.posted(answer), entry: entry)
    }
    switch answer.authorID {
    case nil: return unproven("without showing whose post it is", named: answer.id)
    case context.author.id?: return unproven("with another of your posts", named: nil)
    default: return unproven("with another user's post", named: nil)
    }
  }

  /// Returns the meaning of a successful response that does not prove that the post was published.
  /// - Parameters:
  ///   - answer: the server's response, as the end of a sentence.
  ///   - id: the id in the response; `nil` if it belongs to something else.
  func unproven(_ answer: String, named id: String?) -> PostedResponse {
    PostedResponse(.unanswered("\(serverName) responded to the post \(answer)", until: nil, named: id))
  }

  /// The message if the server does not have the post being replied to.
  package var unknownReplyTarget: String { "the server does not have the post to reply to, or does not show it to you" }

  /// Returns the message about a limit that the status alone reports; `nil` if the response says more.
  fileprivate func limit(_ what: String, _ response: ProviderResponse) -> String? {
    response.status == 429 || response.status == 420 ? "\(serverName) limits \(what) (\(response.status))" : nil
  }

  /// Returns the meaning of a response that contains no post.
  /// - Parameter coversEarlier: whether a refusal proves that earlier attempts with the same key did not publish the post.
  func failedPost(_ response: ProviderResponse, coversEarlier: Bool = false) -> PostedResponse {
    let failure = classify(response) ?? absence(in: response)
    let message =
      failure?.message ?? "\(serverName) responded with status \(response.status), but without a readable post."
    switch (response.status, failure) {
    case (408, _), (409, _), (425, _), (500..., _):
      return PostedResponse(.unanswered(message, until: response.retryAfter))
    case (_, .rateLimited(_, let until)):
      return PostedResponse(.postponed(limit("posts", response) ?? message, until: until))
    case (_, .paused(_, let until)): return PostedResponse(.postponed(message, until: until))
    // The token is not valid: the post waits until the user logs in again.
    case (_, .needsLogin): return PostedResponse(.withoutLogin(message))
    case (300..<500, .nonceUsed): return PostedResponse(.copyRefused(message))
    // Something between client and server refused to pass the post on.
    case (300..<500, .transient(_, let until)): return PostedResponse(.postponed(message, until: until))
    case (300..<500, _): return PostedResponse(.refused(message, coversEarlier: coversEarlier))
    // The server has accepted the post, but its response does not contain the complete post.
    default: return PostedResponse(.unanswered(message, until: nil))
    }
  }
}

/// The defaults for providers that do not publish files with posts.
extension PostingProvider {
  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ClientRequest? {
    nil
  }

  package func olderMediaRequest(for media: PostMedia, after stage: MediaStage) -> ClientRequest? { nil }

  package func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult {
    failedUpload(response)
  }

  /// Returns the meaning of a response that does not continue an upload. Uploads can be repeated, because unpublished files do no harm.
  func failedUpload(_ response: ProviderResponse) -> MediaResult {
    let failure = classify(response) ?? absence(in: response)
    let message = failure?.message ?? "\(serverName) responded to an upload with status \(response.status)."
    switch (response.status, failure) {
    case (_, .rateLimited(_, let until)): return .postponed(limit("uploads", response) ?? message, until: until)
    case (_, .paused(_, let until)): return .postponed(message, until: until)
    // The file stays too large, even if a proxy reported the error.
    case (413, _): return .refused("\(serverName) does not accept files of this size (status 413).")
    case (408, _), (409, _), (425, _), (500..., _): return .postponed(message, until: response.retryAfter)
    case (_, .transient(_, let until)): return .postponed(message, until: until)
    case (_, .nonceUsed): return .postponed(message, until: nil)
    case (_, .needsLogin): return .withoutLogin(message)
    case (200..<300, nil): return .refused("\(serverName)'s response to an upload cannot be read.")
    default: return .refused(message)
    }
  }
}
