internal import Time
internal import Timeline

/// One line per post, newest first, for terminals, `grep` and `cut`.
///
/// ```
/// * 2026-11-20 15:59 @jack the text > @mira_demo: the quoted text https://…
///   2026-11-20 15:58 @theSeanCook reposted by @jack: the text
///   2026-11-20 15:57 @ada liked: @mira_demo the text
/// ```
/// An unread post has a `*` in the first column, any other post a space (`grep '^\*'`). Times are in UTC, to the minute. Texts are complete
/// and have passed through `SafeText`; spaces replace line breaks.
enum TextLines {
  static func bytes(of publication: Publication) -> [UInt8] {
    Array(publication.posts.map { line(of: $0) + "\n" }.joined().utf8)
  }

  private static func line(of published: PublishedPost) -> String {
    let post = published.post
    let repost = post.repostedBy.map { "reposted by \(PersonName.line(of: $0)): " } ?? ""
    let quote = post.quoted.map { "> \(PersonName.line(of: $0.author)): \(SafeText.line(of: $0.text))" }
    let parts =
      [published.isUnread ? "*" : " ", minute(of: post.enteredAt)] + beginning(of: post)
      + [repost + SafeText.line(of: post.text), quote ?? ""].filter { !$0.isEmpty }
      + post.media.map { MediaDescription.full(of: $0, coveredBy: post.mediaWarning) }
      + [post.url.flatMap(WebLink.init)].compactMap { $0?.text }
    return parts.joined(separator: " ")
  }

  /// Returns what has happened, and the post's author.
  private static func beginning(of post: Post) -> [String] {
    let author = PersonName.line(of: post.author)
    guard let sentence = NoticeSentence(post)?.text(PersonName.line) else { return [author] }
    let said = SafeText.line(of: post.notice?.text ?? "")
    let event = sentence + (said.isEmpty ? "" : ": " + said)
    return post.isEventOnly ? [event] : [event + ":", author]
  }

  private static func minute(of time: Timestamp) -> String {
    // All characters of a time are ASCII.
    let bytes = time.rfc3339.utf8.dropLast(4).map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
