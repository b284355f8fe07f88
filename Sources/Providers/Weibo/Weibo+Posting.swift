internal import HomelineOAuth
internal import JSON
internal import PostText
package import Posting
package import Timeline

/// Posts on Weibo (`statuses/share`), the only way Weibo still lets applications publish. It has no idempotency keys.
extension Weibo: PostingProvider {
  package var postingObjection: String? {
    guard addresses.share == nil else { return nil }
    return
      "homeline cannot tell where to post: the account's \"home_timeline\" does not end in /statuses/home_timeline.json"
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderError) -> PostingRules {
    PostingRules(
      keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, software: "Weibo", length: .weibo(),
      media: .weibo)
  }

  package func objection(to draft: PostDraft) -> String? {
    if draft.replyTo != nil { return "Weibo does not let applications reply; omit --reply-to, or use weibo.com" }
    if Self.hasTopic(draft.text) { return "Weibo does not let applications publish topics; remove #…# from the text" }
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
  ) -> ProviderRequest {
    guard let share = addresses.share else { preconditionFailure("the objection was ignored") }
    var form = [Parameter("status", draft.text)]
    if let userAddress { form.append(Parameter("rip", userAddress)) }
    guard let picture = draft.media.first else { return .post(share, form: form) }
    return .upload(to: share, form, MultipartFile(field: "pic", range: 0..<picture.size, type: picture.type))
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
        return PostedResponse(.rejected(failure?.message ?? "Weibo refused the post.", coversEarlier: false))
      }
    }
    let status = try? object(in: response, expected: "a post") { cursor in try WeiboStatus(&cursor) }
    if let entry = status?.entry(permalink) {
      let post = SentPost(
        id: entry.post.id.text, url: entry.post.url, text: entry.post.text, visibility: nil, replyTo: nil)
      return PostedResponse(.posted(post), entry: entry)
    }
    guard response.isSuccess else { return failedPost(response) }
    return PostedResponse(
      .unanswered("Weibo responded with status \(response.status), but without a readable post.", until: nil))
  }

  package func actionRequest(_ action: PostAction, on id: String, by userID: String) -> ProviderRequest? { nil }

  package func actionEntry(_ action: PostAction, from response: ProviderResponse) -> Page.Entry? { nil }

  /// Weibo gives most applications no access to the user's own posts, and each request counts towards the user's 100 a day.
  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ProviderRequest? { nil }

  package func ownPosts(from response: ProviderResponse) throws(ProviderError) -> [SentPost] { [] }

  // MARK: Texts

  /// Returns whether a text contains a topic: text between two `#` in one line.
  private static func hasTopic(_ text: String) -> Bool {
    let plain = links(in: text).reduce(text) { $0.replacing($1, with: "") }
    return plain.split(whereSeparator: \.isNewline).contains { line in
      let parts = line.split(separator: "#", omittingEmptySubsequences: false)
      return parts.dropFirst().dropLast().contains { !$0.isEmpty }
    }
  }

  /// Returns the addresses in a text, which begin with a scheme and consist of ASCII characters.
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
