internal import Bytes
package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
internal import Time
internal import Timeline

/// Posts in X's v2 API, which has no idempotency keys.
extension X: PostingProvider {
  package var postingObjection: String? {
    guard endpoint("/2/tweets") == nil else { return nil }
    return "homeline cannot tell where to post: the account's \"home_timeline\" does not end in \(Self.timelinePath)"
  }

  package func postingRules(from response: ProviderResponse?) throws(ProviderFailure) -> PostingRules {
    PostingRules(
      keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, server: "X", length: .weighted(), media: .x,
      requiresText: false)
  }

  package func objection(to draft: PostDraft) -> String? {
    if let link = Self.quotedPost(in: draft.text) {
      return
        "X no longer lets self-serve applications quote posts, and shows a link to a post at the end of the text as a quote: "
        + "remove \(link), or continue the text after it"
    }
    if let video = draft.media.first(where: { $0.description != nil && !$0.type.hasPrefix("image/") }) {
      return "\(video.path): X supports descriptions of pictures only, not of videos; omit --alt"
    }
    guard Self.cashtags(in: draft.text) > 1 else { return nil }
    return "X allows self-serve applications one cashtag in a post; remove the others"
  }

  package func objection(to action: PostAction) -> String? {
    action.kind == .like ? "X no longer lets self-serve applications like posts; use x.com instead" : nil
  }

  package var apiScopes: APIScopes? { .x }

  package func postingRequest(
    _ draft: PostDraft, media: [String], replyTo: String?, key: IdempotencyKey
  ) -> ClientRequest {
    guard let url = endpoint("/2/tweets") else { preconditionFailure("the objection was ignored") }
    // X refuses unknown members.
    return .post(
      url,
      json: Self.object { json in
        if !draft.text.isEmpty || media.isEmpty { json.member("text", draft.text) }
        if !media.isEmpty {
          json.name("media")
          json.object { $0.member("media_ids", list: media) { $0.string($1) } }
        }
        guard let replyTo else { return }
        json.name("reply")
        json.object { $0.member("in_reply_to_tweet_id", replyTo) }
      })
  }

  /// A response with the new id and the text shows that the post was published: X names no author. The response may also contain errors.
  package func posted(
    from response: ProviderResponse, _ draft: PostDraft, in context: PostingContext
  ) -> PostedResponse {
    let answered = try? object(in: response, expected: "a post") { cursor in try XPublishedPost(&cursor).post }
    guard let answered, let id = answered.id else {
      return response.isSuccess ? unproven("without a readable post", named: nil) : failedPost(response)
    }
    guard let text = answered.text else { return unproven("with an id only", named: id) }
    let url = isAtX ? "https://x.com/\(context.author.screenName)/status/\(id)" : nil
    var post = SentPost(
      id: id, url: url, text: TwitterText.plain(text, links: [], dispensable: []), visibility: nil,
      replyTo: context.replyTo, authorID: answered.authorID, createdAt: answered.createdAt.map { response.local($0) })
    if PostComparison(draft, replyTo: context.replyTo).hasSameText(post) {
      // X shortens the links.
      post = SentPost(
        id: id, url: url, text: draft.text, visibility: nil, replyTo: post.replyTo, authorID: post.authorID,
        createdAt: post.createdAt)
    }
    return judge(
      post, Self.entry(of: post, in: context, from: response), draft, context, at: response.receivedAt,
      mayOmitAuthor: true)
  }

  private static func entry(
    of sent: SentPost, in context: PostingContext, from response: ProviderResponse
  ) -> Page.Entry? {
    let id = PostID(sent.id)
    guard let key = PostKey(decimal: id) else { return nil }
    let time = Snowflake.time(of: sent.id) ?? response.receivedAt
    let post = Post(
      id: id, createdAt: Timestamp(seconds: time.seconds), author: context.author, text: sent.text, url: sent.url,
      inReplyTo: sent.replyTo.map { Post.Reply(id: PostID($0), screenName: nil) })
    return Page.Entry(post: post, key: key, source: response.body[...])
  }

  /// X charges for each post that it sends, so as few posts as possible are requested: first the smallest page, later only newer posts.
  package func ownPostsRequest(userID: String, after known: Set<String>?) -> ClientRequest? {
    guard DecimalID.isDecimal(userID), let url = endpoint("/2/users/\(userID)/tweets") else { return nil }
    var query = [
      Parameter("max_results", "\(ownPostsPage)"), Parameter(XFields.postName, "referenced_tweets,entities,note_tweet"),
      Parameter("exclude", "retweets"),
    ]
    let newest = (known ?? []).compactMap { id in PostKey(decimal: PostID(id)).map { (id: id, key: $0) } }
      .max { $0.key < $1.key }
    if let newest { query.append(Parameter("since_id", newest.id)) }
    return .get(url, query: query)
  }

  package func ownPosts(from response: ProviderResponse) throws(ProviderFailure) -> [SentPost] {
    let document = try object(in: response, expected: "the user's posts") { cursor in try XTimelineResponse(&cursor) }
    return document.posts.compactMap { post in
      guard let id = post.id, post.references[.reposted] == nil else { return nil }
      let text = TwitterText.plain(post.note ?? post.text ?? "", links: post.links, dispensable: [])
      // X leads from this address to the post. The author's name would cost more.
      return SentPost(
        id: id, url: isAtX ? "https://x.com/i/status/\(id)" : nil, text: text, visibility: nil,
        replyTo: post.references[.repliedTo], authorID: post.authorID,
        createdAt: post.createdAt.map { response.local($0) })
    }
  }

  /// The smallest page that X accepts.
  package var ownPostsPage: Int { 5 }

  // MARK: Texts

  /// Returns the link to a post on X at the end of the text.
  private static func quotedPost(in text: String) -> String? {
    guard let link = TextLinks.all(in: text).last,
      text.split(whereSeparator: \.isWhitespace).last?.hasSuffix(link) == true,
      let url = try? RequestURL(link.contains("://") ? link : "https://\(link)")
    else { return nil }
    let host = url.host.hasPrefix("www.") ? String(url.host.dropFirst(4)) : url.host
    let parts = url.path.split(separator: "/")
    guard ["x.com", "twitter.com", "mobile.twitter.com"].contains(host), parts.count >= 3, parts[1] == "status" else {
      return nil
    }
    return link
  }

  /// Returns the number of cashtags, such as `$ABC`.
  private static func cashtags(in text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count { word in
      word.first == "$" && (1...6).contains(word.dropFirst().prefix { $0.isASCII && $0.isLetter }.count)
    }
  }
}

/// The response to a new post: `{"data":{"id":"…","text":"…"}}`.
private struct XPublishedPost {
  private(set) var post: XPost?

  init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      if name == "data" { post = try XPost(&cursor) } else { try cursor.skip() }
    }
  }
}
