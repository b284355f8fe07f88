internal import HTTP
internal import Timeline

/// A post's complete content in a feed.
enum PostContent {
  /// Returns lines of plain text, with the quoted post prefixed by `> `.
  static func text(of published: PublishedPost) -> String {
    let post = published.post
    var lines = noticeLines(of: post)
    if let repostedBy = post.repostedBy { lines.append("reposted by " + PersonName.full(of: repostedBy)) }
    if let handle = replyHandle(of: post) { lines.append("in reply to " + handle) }
    lines += SafeText.lines(of: post.text) + post.media.map { line($0, coveredBy: post.mediaWarning) }
    if let quoted = post.quoted {
      let quotedLines = [PersonName.full(of: quoted.author) + ":"] + SafeText.lines(of: quoted.text)
      lines += (quotedLines + quoted.media.map { line($0) }).map { "> " + $0 }
    }
    lines += published.alsoAt.compactMap(WebLink.init).map { "also at " + $0.text }
    return lines.joined(separator: "\n")
  }

  /// Returns what has happened, with the post's author, and what the server says about it.
  private static func noticeLines(of post: Post) -> [String] {
    guard let sentence = NoticeSentence(post) else { return [] }
    let author = post.isEventOnly ? "" : ": " + PersonName.full(of: post.author)
    return [sentence.text(PersonName.full) + author] + SafeText.lines(of: post.notice?.text ?? "")
  }

  static func replyHandle(of post: Post) -> String? {
    let handle = PersonName.handle(of: post.inReplyTo?.screenName ?? "")
    return handle.isEmpty ? nil : handle
  }

  private static func line(_ media: Media, coveredBy warning: String? = nil) -> String {
    MediaDescription.full(of: media, coveredBy: warning) + (WebLink(media.url).map { " " + $0.text } ?? "")
  }
}

extension PostContent {
  /// Returns paragraphs of HTML for a feed reader: text, pictures, the quoted post, and links to copies of the post.
  ///
  /// All external text passes through `SafeText`, so it contains no direction controls. Links lead only to web
  /// addresses. Pictures with an `https` address are shown, unless a filter covers them; other pictures become links.
  static func html(of published: PublishedPost) -> Markup {
    let post = published.post
    var parts = noticeLines(of: post).map { line -> Markup in "<p>\(line)</p>" }
    if let repostedBy = post.repostedBy { parts.append("<p>reposted by \(PersonName.full(of: repostedBy))</p>") }
    if let handle = replyHandle(of: post) { parts.append("<p>in reply to \(handle)</p>") }
    parts.append(textParagraph(post.text))
    parts += post.media.map { self.html(of: $0, coveredBy: post.mediaWarning) }
    if let quoted = post.quoted { parts.append(html(of: quoted)) }
    let others = published.alsoAt.compactMap(WebLink.init).map { LinkedText.anchor(to: $0, $0.text) }
    if !others.isEmpty { parts.append("<p>also at \(others.joined(separator: ", "))</p>") }
    return parts.joined()
  }

  private static func html(of quote: Post.Quote) -> Markup {
    let author = PersonName.full(of: quote.author)
    let name = quote.url.flatMap(WebLink.init).map { LinkedText.anchor(to: $0, author) } ?? Markup(escaping: author)
    return """
      <blockquote><p>\(name):</p>\(textParagraph(quote.text))\(quote.media.map { html(of: $0) }.joined())</blockquote>
      """
  }

  private static func html(of media: Media, coveredBy warning: String? = nil) -> Markup {
    let description = MediaDescription.full(of: media, coveredBy: warning)
    guard let link = WebLink(media.url) else { return "<p>\(description)</p>" }
    guard media.kind == .photo, link.isEncrypted, warning == nil else {
      return "<p>\(LinkedText.anchor(to: link, description))</p>"
    }
    return "<p><img src=\"\(link.text)\" alt=\"\(SafeText.line(of: media.alternativeText ?? ""))\"></p>"
  }

  /// Returns a paragraph whose direction follows its first strong letter.
  private static func textParagraph(_ text: String) -> Markup {
    let html = LinkedText.html(of: text)
    return html.isEmpty ? "" : "<p dir=\"auto\">\(html)</p>"
  }
}
