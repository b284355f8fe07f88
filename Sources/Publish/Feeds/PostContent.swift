internal import Timeline

/// A post as a feed carries it whole.
enum PostContent {
  /// Lines of plain text, with the quoted post set off by `> `.
  static func text(of published: PublishedPost) -> String {
    let post = published.post
    var lines = post.repostedBy.map { ["reposted by " + PersonName.full(of: $0)] } ?? []
    if let handle = replyHandle(of: post) { lines.append("in reply to " + handle) }
    lines += SafeText.lines(of: post.text) + post.media.map(line)
    if let quoted = post.quoted {
      let quotedLines = [PersonName.full(of: quoted.author) + ":"] + SafeText.lines(of: quoted.text)
      lines += (quotedLines + quoted.media.map(line)).map { "> " + $0 }
    }
    lines += published.alsoAt.compactMap(WebLink.init).map { "also at " + $0.text }
    return lines.joined(separator: "\n")
  }

  static func replyHandle(of post: Post) -> String? {
    let handle = PersonName.handle(of: post.inReplyTo?.screenName ?? "")
    return handle.isEmpty ? nil : handle
  }

  private static func line(_ media: Media) -> String {
    MediaWord.full(of: media) + (WebLink(media.url).map { " " + $0.text } ?? "")
  }
}
