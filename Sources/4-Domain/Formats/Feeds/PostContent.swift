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
  /// All external text passes through `SafeText` and is then escaped, so it contains no direction controls. Links lead only to web
  /// addresses. Pictures with an `https` address are shown, unless a filter covers them; other pictures become links.
  static func html(of published: PublishedPost) -> String {
    let post = published.post
    var parts = noticeLines(of: post).map { paragraph(MarkupEscape.text($0)) }
    if let repostedBy = post.repostedBy { parts.append(paragraph("reposted by " + escaped(repostedBy))) }
    if let handle = replyHandle(of: post) { parts.append(paragraph("in reply to " + MarkupEscape.text(handle))) }
    parts.append(textParagraph(post.text))
    parts += post.media.map { self.html(of: $0, coveredBy: post.mediaWarning) }
    if let quoted = post.quoted { parts.append(html(of: quoted)) }
    let others = published.alsoAt.compactMap(WebLink.init).map { LinkedText.anchor(to: $0, $0.text) }
    if !others.isEmpty { parts.append(paragraph("also at " + others.joined(separator: ", "))) }
    return parts.joined()
  }

  private static func html(of quote: Post.Quote) -> String {
    let name = quote.url.flatMap(WebLink.init).map { LinkedText.anchor(to: $0, PersonName.full(of: quote.author)) }
    return "<blockquote>" + paragraph((name ?? escaped(quote.author)) + ":") + textParagraph(quote.text)
      + quote.media.map { html(of: $0) }.joined() + "</blockquote>"
  }

  private static func html(of media: Media, coveredBy warning: String? = nil) -> String {
    let description = MediaDescription.full(of: media, coveredBy: warning)
    guard let link = WebLink(media.url) else { return paragraph(MarkupEscape.text(description)) }
    guard media.kind == .photo, link.isEncrypted, warning == nil else {
      return paragraph(LinkedText.anchor(to: link, description))
    }
    let seen = SafeText.line(of: media.alternativeText ?? "")
    return paragraph("<img src=\"\(MarkupEscape.text(link.text))\" alt=\"\(MarkupEscape.text(seen))\">")
  }

  private static func escaped(_ user: User) -> String { MarkupEscape.text(PersonName.full(of: user)) }

  private static func paragraph(_ html: String) -> String { "<p>\(html)</p>" }

  /// Returns a paragraph whose direction follows its first strong letter.
  private static func textParagraph(_ text: String) -> String {
    let html = LinkedText.html(of: text)
    return html.isEmpty ? "" : "<p dir=\"auto\">\(html)</p>"
  }
}
