internal import Bytes
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
package import Timeline

/// Posts on Weibo (`statuses/share`), the only way Weibo still lets applications publish. It has no idempotency keys.
extension Weibo: PostingProvider {
  package var postingObjection: String? {
    guard addresses.share == nil else { return nil }
    return
      "homeline cannot tell where to post: the account's \"home_timeline\" does not end in /statuses/home_timeline.json"
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderFailure) -> PostingRules {
    PostingRules(
      keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, server: "Weibo", length: .weibo(),
      media: .weibo)
  }

  package func objection(to draft: PostDraft) -> String? {
    if draft.replyTo != nil { return "Weibo does not let applications reply; omit --reply-to, or use weibo.com" }
    if Self.hasHashtag(draft.text) { return "Weibo does not let applications publish topics; remove #…# from the text" }
    let links = Self.links(in: draft.text)
    guard let safeDomain else {
      return links.isEmpty
        ? "Weibo publishes only posts with a link to the application's safe domain; add one to the text" : nil
    }
    if links.contains(where: { Self.leads($0, to: safeDomain) }) { return nil }
    return
      "Weibo publishes only posts with a link to the application's safe domain; add a link to \(safeDomain) to the text"
  }

  package func objection(to action: PostAction) -> String? {
    let verb =
      switch action.kind {
      case .delete: "delete posts"
      case .repost: "repost"
      case .like: "like posts"
      case .bookmark: "bookmark posts"
      }
    return "Weibo does not let applications \(verb); use weibo.com instead"
  }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ClientRequest {
    guard let share = addresses.share else { preconditionFailure("the objection was ignored") }
    var form = [Parameter("status", draft.text)]
    if let userAddress { form.append(Parameter("rip", userAddress)) }
    guard let picture = draft.media.first else { return .post(share, form: form) }
    return .upload(
      to: share, FileForm(form.map { .init($0) }, field: "pic", range: 0..<picture.size, type: picture.type))
  }

  /// Reads the response to a new post. Weibo's errors can have status 200. After an internal error at Weibo, or an empty response, the
  /// outcome is unknown.
  package func posted(
    from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext
  ) -> PostedResponse {
    guard WeiboErrorBody(response.body).code == nil else {
      let failure = classify(response)
      switch failure {
      case .rateLimited(let message, let until)?: return PostedResponse(.postponed(message, until: until))
      case .transient(let message, let until)?: return PostedResponse(.unanswered(message, until: until))
      case .needsLogin(let message)?: return PostedResponse(.withoutLogin(message))
      case let failure:
        return PostedResponse(.refused(failure?.message ?? "Weibo refused the post.", coversEarlier: false))
      }
    }
    let status = try? object(in: response, expected: "a post") { cursor in try WeiboStatus(&cursor) }
    if let status, let (post, entry) = published(status, in: response) {
      return judge(post, entry, draft, context, at: response.receivedAt)
    }
    return response.isSuccess ? unproven("without a readable post", named: status?.id) : failedPost(response)
  }

  /// Returns the published post for comparison with the draft, and for the timeline; `nil` if it is not complete.
  private func published(_ status: WeiboStatus, in response: ProviderResponse) -> (SentPost, Page.Entry)? {
    guard status.text != nil, let createdAt = status.createdAt, let entry = status.entry(permalink) else { return nil }
    let post = SentPost(
      id: entry.post.id.text, url: entry.post.url, text: entry.post.text, visibility: nil, replyTo: nil,
      authorID: entry.post.author.id, createdAt: response.local(createdAt))
    return (post, entry)
  }

  /// Returns the request for one of the user's posts (`statuses/show`).
  package func namedPostRequest(id: String) -> ClientRequest? {
    guard DecimalID.isDecimal(id) else { return nil }
    return addresses.statusesShow.map { .get($0, query: [Parameter("id", id)]) }
  }

  package func namedPost(from response: ProviderResponse) -> SentPost? {
    guard WeiboErrorBody(response.body).code == nil,
      let status = try? object(in: response, expected: "a post", { cursor in try WeiboStatus(&cursor) })
    else { return nil }
    return published(status, in: response)?.0
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ClientRequest? { nil }

  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? { nil }

  /// Weibo gives most applications no access to the user's own posts, and each request counts towards the user's 100 a day.
  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ClientRequest? { nil }

  package func ownPosts(from response: ProviderResponse) throws(ProviderFailure) -> [SentPost] { [] }

  // MARK: Texts

  /// Returns whether text contains a hashtag, which Weibo calls a topic: characters between two `#` in one line.
  private static func hasHashtag(_ text: String) -> Bool {
    let plain = links(in: text).reduce(text) { $0.replacing($1, with: "") }
    return plain.split(whereSeparator: \.isNewline).contains { line in
      let parts = line.split(separator: "#", omittingEmptySubsequences: false)
      return parts.dropFirst().dropLast().contains { !$0.isEmpty }
    }
  }

  /// Returns the addresses in text, which begin with a scheme and consist of ASCII characters.
  private static func links(in text: String) -> [String] {
    ["http://", "https://"].flatMap { scheme in
      text.ranges(of: scheme).map { String(text[$0.lowerBound...].prefix { $0.isASCII && !$0.isWhitespace }) }
    }
  }

  private static func leads(_ link: String, to domain: String) -> Bool {
    guard let url = try? RequestURL(link) else { return false }
    return url.host == domain || url.host.hasSuffix("." + domain)
  }
}

extension MediaRules {
  /// According to Weibo's documentation of `statuses/share`: one picture smaller than 5 MB, which is sent with the post.
  fileprivate static let weibo = MediaRules(
    maximumCount: 1, types: ["image/jpeg", "image/png", "image/gif"], imageSize: 4_999_999, descriptionLength: 0)
}
