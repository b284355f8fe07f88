internal import Time
internal import Timeline

/// Assembles posts from X's objects, which are spread over several parts of a response.
struct XPostWriter {
  /// Creates a post's address from a screen name and an id, if the provider's web site has one.
  let permalink: (_ screenName: String, _ id: String) -> String?

  /// Returns the post and its position; `nil` without an id, a text or a time.
  ///
  /// A repost keeps its own id and time. All other members come from the reposted post, because the repost's own text is truncated and
  /// begins with 'RT @'. If the original is missing, the truncated text is kept.
  func entry(_ post: XPost, in response: XTimelineResponse) -> Page.Entry? {
    guard let id = post.id, let key = post.key, let createdAt = post.createdAt, post.text != nil || post.note != nil
    else { return nil }
    let original = referenced(.reposted, by: post, in: response)
    let shown = original ?? post
    let quoted = quote(by: shown, in: response)
    let result = Post(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: author(of: shown, in: response),
      text: text(of: shown, quoting: quoted == nil ? nil : shown.references[.quoted]),
      url: url(of: shown, in: response), language: shown.language,
      repostedBy: original == nil ? nil : author(of: post, in: response), inReplyTo: reply(of: shown, in: response),
      quoted: quoted, media: media(of: shown, in: response), counts: shown.counts,
      editedAt: shown.editedAt.map { Timestamp(seconds: $0.seconds) })
    return Page.Entry(post: result, key: key, source: XSource(of: post, in: response).json[...])
  }

  private func referenced(_ role: XPost.Reference, by post: XPost, in response: XTimelineResponse) -> XPost? {
    post.references[role].flatMap { response.referenced[$0] }.flatMap { $0.text == nil && $0.note == nil ? nil : $0 }
  }

  /// Returns the author. If X omits the user, the names are empty: a post without a name is better than no post.
  private func author(of post: XPost, in response: XTimelineResponse) -> User {
    guard let id = post.authorID else { return User(id: "", screenName: "", name: "") }
    return response.users[id] ?? User(id: id, screenName: "", name: "")
  }

  private func url(of post: XPost, in response: XTimelineResponse) -> String? {
    guard let id = post.id else { return nil }
    let screenName = author(of: post, in: response).screenName
    guard !screenName.isEmpty, screenName.utf8.allSatisfy(Self.isWord) else { return nil }
    return permalink(screenName, id)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func reply(of post: XPost, in response: XTimelineResponse) -> Post.Reply? {
    guard let id = post.references[.repliedTo] else { return nil }
    let screenName = response.referenced[id].map { author(of: $0, in: response).screenName }
    return Post.Reply(id: PostID(id), screenName: screenName.flatMap { $0.isEmpty ? nil : $0 })
  }

  private func quote(by post: XPost, in response: XTimelineResponse) -> Post.Quote? {
    guard let quoted = referenced(.quoted, by: post, in: response), let id = quoted.id, let createdAt = quoted.createdAt
    else { return nil }
    return Post.Quote(
      id: PostID(id), createdAt: Timestamp(seconds: createdAt.seconds), author: author(of: quoted, in: response),
      text: text(of: quoted, quoting: nil), url: url(of: quoted, in: response), media: media(of: quoted, in: response))
  }

  private func media(of post: XPost, in response: XTimelineResponse) -> [Media] {
    post.mediaKeys.compactMap { response.media[$0] }
  }

  /// Returns the full text, without links at its end that refer only to the post's own media or its quoted post.
  private func text(of post: XPost, quoting quotedID: String?) -> String {
    let dispensable = post.links.filter { link in
      let path = TwitterText.path(of: link.expanded)
      if let quotedID, path.hasSuffix("/status/" + quotedID) { return true }
      return post.id.map { path.contains("/status/\($0)/photo/") || path.contains("/status/\($0)/video/") } ?? false
    }
    return TwitterText.plain(
      post.note ?? post.text ?? "", links: post.links, dispensable: dispensable.map(\.short))
  }
}
