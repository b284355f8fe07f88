internal import CivilTime
package import PostText
package import Posting
package import Timeline

/// A provider where users can publish posts.
package protocol PostingProvider: Provider {
  /// The reason homeline cannot post to this server; `nil` if none is known.
  var postingObjection: String? { get }

  /// Returns the requests for the server's description, in order of preference; empty if the rules depend only on the provider. If the
  /// response to a request is 404, the next one is sent.
  func descriptionRequests() -> [ProviderRequest]

  /// Returns the server's rules for posts.
  /// - Parameter response: the response to one of `descriptionRequests()`, with status 404 only if it was the last one; `nil` if there are
  ///   no such requests.
  func postingRules(from response: ProviderResponse?) throws(ProviderError) -> PostingRules

  /// Returns the reason the provider would not publish the post, as far as the post alone reveals it; `nil` if none is known.
  func objection(to draft: PostDraft) -> String?

  /// Returns the reason the provider does not offer an action; `nil` if none is known.
  func objection(to action: PostAction) -> String?

  /// Returns the request for an action on a post; `nil` if the provider does not offer the action, or does not offer it for this id.
  /// - Parameter userID: the id of the user who acts.
  func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ProviderRequest?

  /// Returns whether a successful response to `actionRequest(_:on:by:)` confirms that the action took effect.
  func confirms(_ action: PostAction, in response: ProviderResponse) -> Bool

  /// Returns the post that an action has added to the user's timeline; `nil` if there is none.
  /// - Parameter response: a successful response to `actionRequest(_:on:by:)`.
  func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry?

  /// The scopes of the provider's API; `nil` if posting needs no scopes.
  var apiScopes: APIScopes? { get }

  /// Returns the next request of a file's upload; `nil` if the file is ready, or if it is sent with the post.
  func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ProviderRequest?

  /// Returns the request that older servers have in place of `mediaRequest(for:after:_:)`, for a response with status 404; `nil` if there is
  /// none.
  func olderMediaRequest(for media: PostMedia, after stage: MediaStage) -> ProviderRequest?

  /// Reads the response to `mediaRequest(for:after:_:)`.
  func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult

  /// Returns the request that publishes a post. A file that is not uploaded in advance is part of this request (``MultipartFile``).
  /// - Parameters:
  ///   - media: the server's ids of the uploaded files, in the order of the files in the draft.
  ///   - replyTo: the id of the post that this one replies to.
  ///   - key: the idempotency key, sent to servers that may honour it.
  func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ProviderRequest

  /// Reads the response to `postingRequest(_:media:replyTo:key:)`.
  func posted(from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext) -> PostedResponse

  /// Returns the request for the user's newest posts; `nil` if there is none.
  /// - Parameter known: the ids of known posts; `nil` before the first request. A provider that charges for each post need not send
  ///   these posts again.
  func ownPostsRequest(userID: String, after known: Set<String>?) -> ProviderRequest?

  /// The maximum number of posts in a response to `ownPostsRequest(userID:after:)`.
  var ownPostsPage: Int { get }

  /// Reads the response to `ownPostsRequest(userID:after:)`.
  func ownPosts(from response: ProviderResponse) throws(ProviderError) -> [SentPost]
}

/// The circumstances of an attempt to post.
package struct PostingContext: Sendable {
  package let author: User
  /// The id of the post that the draft replies to.
  package let replyTo: String?
  /// The ids of the user's newest posts before the attempt; `nil` if they are unknown.
  package let knownBefore: Set<String>?

  package init(author: User, replyTo: String? = nil, knownBefore: Set<String>? = nil) {
    self.author = author
    self.replyTo = replyTo
    self.knownBefore = knownBefore
  }
}

/// The meaning of the response to a new post.
package struct PostedResponse: Sendable {
  package let result: AttemptResult
  /// The published post for the account's timeline; `nil` if it was not published or cannot be read.
  package let entry: Page.Entry?

  package init(_ result: AttemptResult, entry: Page.Entry? = nil) {
    self.result = result
    self.entry = entry
  }
}

/// A server's rules for posts.
package struct PostingRules: Sendable, Hashable {
  /// How long the server remembers an idempotency key; `nil` if it ignores keys.
  var keyLifetime: Duration?
  /// The visibilities that the server honours. It would silently replace any other.
  var visibilities: Set<PostVisibility>
  /// Whether the server supports content warnings and languages.
  var hasWarnings: Bool
  /// The server's software, for messages.
  var software: String
  /// Texts that the server would interpret as something other than a post.
  var refusedTexts: Set<String>
  /// The server's rule for measuring and limiting the length of a post; `nil` if unknown. Then only the server can decide.
  var length: LengthRule?
  /// The rules for files; `nil` if homeline cannot attach files to posts on this server.
  package var media: MediaRules?
  /// Whether a post with files must also have text.
  var requiresText: Bool
  /// Whether the server publishes a reply to a post that it does not have as a post of its own, instead of rejecting it.
  package var ignoresUnknownReplyTargets: Bool

  package init(
    keyLifetime: Duration?, visibilities: Set<PostVisibility>, hasWarnings: Bool, software: String,
    refusedTexts: Set<String> = [], length: LengthRule? = nil, media: MediaRules? = nil, requiresText: Bool = true,
    ignoresUnknownReplyTargets: Bool = false
  ) {
    self.ignoresUnknownReplyTargets = ignoresUnknownReplyTargets
    self.refusedTexts = refusedTexts
    self.length = length
    self.media = media
    self.requiresText = requiresText
    self.keyLifetime = keyLifetime
    self.visibilities = visibilities
    self.hasWarnings = hasWarnings
    self.software = software
  }

  /// Returns how the outcome of a post is determined on this server.
  /// - Parameter knownBefore: the ids of the user's newest posts; `nil` if they could not be read.
  package func settlement(knownBefore: Set<String>?) -> PostSettlement {
    keyLifetime.map { .sameKey(for: $0, knownBefore: knownBefore) } ?? .lookUp(knownBefore: knownBefore)
  }

  /// Returns the reason the server would not publish the post as intended; `nil` if none is known.
  package func objection(to draft: PostDraft) -> String? {
    if let visibility = draft.visibility, !visibilities.contains(visibility) {
      let others = PostVisibility.allCases.filter(visibilities.contains).map(\.rawValue)
      return "\(software) does not support the visibility \(visibility.rawValue)"
        + (others.isEmpty ? "; omit --visibility" : "; it supports \(others.joined(separator: ", "))")
    }
    if refusedTexts.contains(draft.text) { return "\(software) cannot publish the text \(draft.text)" }
    if draft.warning != nil, !hasWarnings { return "\(software) does not support content warnings; omit --warning" }
    if draft.language != nil, !hasWarnings { return "\(software) does not support post languages; omit --language" }
    if draft.text.allSatisfy(\.isWhitespace), requiresText {
      return "\(software) requires text in addition to the files"
    }
    if !draft.media.isEmpty {
      guard let media else { return "homeline cannot attach files to a post on this server" }
      if let objection = media.objection(to: draft.media, software: software) { return objection }
    }
    return length(of: draft)?.problem
  }

  /// Returns a post's length, as the server measures it; `nil` if the server's rule is unknown.
  package func length(of draft: PostDraft) -> TextLength? {
    length?.length(of: draft.text, warning: draft.warning ?? "")
  }
}

extension PostingProvider {
  package var postingObjection: String? { nil }
  package var ownPostsPage: Int { 40 }
  package func objection(to draft: PostDraft) -> String? { nil }
  package func objection(to action: PostAction) -> String? { nil }
  package func confirms(_ action: PostAction, in response: ProviderResponse) -> Bool { true }
  package func descriptionRequests() -> [ProviderRequest] { [] }
  package var apiScopes: APIScopes? { nil }
  /// The message if the server does not have the post that a post replies to.
  package var unknownReplyTarget: String { "the server does not have the post to reply to, or does not show it to you" }

  /// Returns the meaning of a response that contains no post.
  /// - Parameter coversEarlier: whether a refusal proves that earlier attempts with the same key did not publish the post.
  func failedPost(_ response: ProviderResponse, coversEarlier: Bool = false) -> PostedResponse {
    let failure = classify(response) ?? absence(in: response)
    let message =
      failure?.message ?? "\(serverName) responded with status \(response.status), but without a readable post."
    switch (response.status, failure) {
    case (408, _), (409, _), (425, _), (500..., _):
      return PostedResponse(.unanswered(message, until: response.retryAfter))
    case (_, .rateLimited(_, let until)), (_, .paused(_, let until)):
      return PostedResponse(.postponed(message, until: until))
    // The token is not valid: the post waits until the user logs in again.
    case (_, .needsLogin): return PostedResponse(.withoutLogin(message))
    // Something in between has refused to pass the post on.
    case (300..<500, .transient(_, let until)): return PostedResponse(.postponed(message, until: until))
    case (300..<500, _): return PostedResponse(.rejected(message, coversEarlier: coversEarlier))
    // The server has accepted the post, but its response does not contain the complete post.
    default: return PostedResponse(.unanswered(message, until: nil))
    }
  }
}

/// The defaults for providers that do not publish files with posts.
extension PostingProvider {
  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ProviderRequest? {
    nil
  }

  package func olderMediaRequest(for media: PostMedia, after stage: MediaStage) -> ProviderRequest? { nil }

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
    case (_, .rateLimited(_, let until)), (_, .paused(_, let until)): return .postponed(message, until: until)
    // Even if a proxy says so, the file does not get smaller.
    case (413, _): return .refused("\(serverName) does not accept files of this size (status 413).")
    case (408, _), (409, _), (425, _), (500..., _): return .postponed(message, until: response.retryAfter)
    case (_, .transient(_, let until)): return .postponed(message, until: until)
    case (_, .needsLogin): return .withoutLogin(message)
    case (200..<300, nil): return .refused("\(serverName)'s response to an upload cannot be read.")
    default: return .refused(message)
    }
  }
}
