package import TerminalText
package import Time
package import Timeline

/// Posts as text for a terminal.
///
/// ```
/// Sean Cook @theSeanCook · 3 min · edited
///   reposted by jack @jack
///   The text, with its own line breaks.
///   > Mira @mira_demo: the quoted text
///   photo https://… (its description)
///   https://…
/// ```
/// A line above the post says what others have done with it:
/// ```
/// Ada and 3 others liked · 5 min
/// ```
/// External text passes through `SafeText`, so that no post can control the terminal. Lines are wrapped only on a terminal whose width is
/// known.
package struct PlainText: Sendable {
  private let now: Timestamp
  private let form: TerminalForm

  /// - Parameters:
  ///   - now: the time that ages are relative to.
  ///   - form: the features that the terminal supports.
  package init(at now: Timestamp, form: TerminalForm) {
    self.now = now
    self.form = form
  }

  /// How a post is shown.
  package struct Details: Sendable {
    /// The account that received the post, if several accounts are shown.
    fileprivate var account: String?
    /// Whether the post is marked as unread.
    fileprivate var isUnread: Bool
    /// Whether the post's id is in the last line.
    fileprivate var showsID: Bool
    /// Whether a line names the author of the post replied to.
    fileprivate var showsReply: Bool
    /// The places to highlight.
    fileprivate var matches: PostMatches
    /// How many columns the post is indented by.
    fileprivate var indentation: Int

    package init(
      account: String? = nil, isUnread: Bool = false, showsID: Bool = false, showsReply: Bool = false,
      matches: PostMatches = PostMatches(), indentation: Int = 0
    ) {
      self.account = account
      self.isUnread = isUnread
      self.showsID = showsID
      self.showsReply = showsReply
      self.matches = matches
      self.indentation = indentation
    }
  }

  /// How many columns a reply is indented by.
  package static let indentation = 2

  /// The greatest reply depth where the text keeps a readable width; deeper replies are not indented further.
  package var greatestDepth: Int { min(8, form.columns.map { max(0, $0 - 30) / Self.indentation } ?? 8) }

  /// Returns the post as lines, each followed by a line feed.
  package func text(of post: Post, _ details: Details = Details()) -> RenderedText {
    let matches = details.matches
    let margin = String(repeating: " ", count: details.indentation)
    let inner = margin + "  "
    var lines: [RenderedText] = []
    if let sentence = NoticeSentence(post), let notice = post.notice {
      lines += broken(heading(of: notice, sentence, details), first: margin, then: inner)
      for line in styledLines(of: notice.text ?? "", nil) { lines += broken(line, after: inner) }
    }
    if post.isEventOnly { return joined(lines + idLines(of: post, details, after: inner)) }
    lines += broken(heading(of: post, details, isFirst: lines.isEmpty), first: margin, then: inner)
    if let reply = post.inReplyTo, details.showsReply { lines += broken(line(reply), after: inner) }
    if let repostedBy = post.repostedBy {
      lines += broken(StyledText("reposted by ", .faint) + name(of: repostedBy, .reposter, matches), after: inner)
    }
    for line in styledLines(of: post.text, matches.ranges[.text]) { lines += broken(line, after: inner) }
    if let quoted = post.quoted { lines += self.lines(of: quoted, matches).flatMap { broken($0, after: inner + "> ") } }
    for (index, media) in post.media.enumerated() {
      let isCovered = post.mediaWarning != nil
      lines += broken(line(media, isCovered: isCovered, matches.ranges[.description(index)]), after: inner)
    }
    if let url = post.url { lines += broken(address(url), after: inner) }
    return joined(lines + idLines(of: post, details, after: inner))
  }

  private func joined(_ lines: [RenderedText]) -> RenderedText { lines.map { $0 + RenderedText("\n") }.joined() }

  /// Returns the line with the ids that commands accept: the post's, and the notification's for the mark of the newest read one.
  private func idLines(of post: Post, _ details: Details, after margin: String) -> [RenderedText] {
    if !details.showsID { return [] }
    let ids = [
      post.isEventOnly ? nil : "id " + SafeText.line(of: post.id.text),
      post.notice.map { "notification " + SafeText.line(of: $0.id.text) },
    ]
    return broken(StyledText(ids.compactMap { $0 }.joined(separator: " · "), .faint), after: margin)
  }

  /// Returns the line that marks a gap between posts.
  package func gap(of account: String? = nil) -> RenderedText {
    let name = account.map { " of " + SafeText.line(of: $0) } ?? ""
    return StyledText("· · ·  posts\(name) may be missing here", .faint).rendered(for: form) + RenderedText("\n")
  }

  private func heading(of notice: Notice, _ sentence: NoticeSentence, _ shown: Details) -> StyledText {
    var heading = StyledText()
    if shown.isUnread { heading.append("● ", .accent) }
    for part in sentence.parts {
      switch part {
      case .text(let text): heading.append(text)
      case .user(let user): heading.append(PersonName.short(of: user), .strong)
      case .kind(let kind): heading.append(ShortLine.of(kind, characters: 60), .strong)
      }
    }
    heading.append(" · \(Age(of: notice.at, at: now))" + account(of: shown), .faint)
    return heading
  }

  private func account(of shown: Details) -> String { shown.account.map { " · " + SafeText.line(of: $0) } ?? "" }

  /// - Parameter isFirst: whether no line above says that the post is unread, and which account received it.
  private func heading(of post: Post, _ shown: Details, isFirst: Bool) -> StyledText {
    var heading = StyledText()
    if shown.isUnread, isFirst { heading.append("● ", .accent) }
    heading = heading + name(of: post.author, .author, shown.matches)
    heading.append(" ")
    var details = "· \(Age(of: post.createdAt, at: now))"
    if post.editedAt != nil { details += " · edited" }
    // A warning for the whole post is in its text.
    if let filter = post.filter, filter.action != .warn { details += " · " + SafeText.line(of: filter.warning) }
    if isFirst { details += account(of: shown) }
    heading.append(details, .faint)
    return heading
  }

  private func name(of user: User, _ person: PostMatches.Person, _ matches: PostMatches) -> StyledText {
    let name = styled(user.name, .strong, matches.ranges[.name(person)])
    let screenName = styled(user.screenName, .faint, matches.ranges[.screenName(person)])
    if screenName.runs.isEmpty { return name.runs.isEmpty ? StyledText("(unknown)", .strong) : name }
    let first = name.runs.isEmpty ? styled(user.screenName, .strong, matches.ranges[.screenName(person)]) : name
    return first + StyledText(" ") + StyledText("@", .faint) + screenName
  }

  private func line(_ reply: Post.Reply) -> StyledText {
    let name = SafeText.line(of: reply.screenName ?? "")
    return StyledText("in reply to \(name.isEmpty ? "another post" : "@" + name)", .faint)
  }

  private func lines(of quote: Post.Quote, _ matches: PostMatches) -> [StyledText] {
    let text = styledLines(of: quote.text, matches.ranges[.quotedText])
    let first = name(of: quote.author, .quotedAuthor, matches) + StyledText(": ") + (text.first ?? StyledText())
    let media = quote.media.enumerated().map { line($1, isCovered: false, matches.ranges[.quotedDescription($0)]) }
    return [first] + text.dropFirst() + media
  }

  private func line(_ media: Media, isCovered: Bool, _ matches: [Range<Int>]?) -> StyledText {
    let kind = media.kind == .animation ? "animation" : media.kind.rawValue
    var line = StyledText(kind + " ", .faint) + address(media.url)
    guard let description = media.alternativeText, !isCovered else { return line }
    line.append(" (")
    line = line + styled(description, .plain, matches)
    line.append(")")
    return line
  }

  /// Returns the lines of text with its links, mentions, hashtags and matches.
  private func styledLines(of text: String, _ matches: [Range<Int>]?) -> [StyledText] {
    SafeText.lines(of: text, marking: matches ?? []).map { PostStyling.styled($0.text).highlighting($0) }
  }

  /// Returns text on one line with its matches.
  private func styled(_ text: String, _ style: StyledText.Style, _ matches: [Range<Int>]?) -> StyledText {
    let line = SafeText.line(of: text, marking: matches ?? [])
    return StyledText(line.text, style).highlighting(line)
  }

  private func address(_ url: String) -> StyledText {
    let shown = SafeText.line(of: url)
    return StyledText(shown, .faint, target: LinkTarget(shown))
  }

  private func broken(_ text: StyledText, after margin: String) -> [RenderedText] {
    broken(text, first: margin, then: margin)
  }

  /// Returns the text wrapped to lines, each after its margin. Margins must be ASCII.
  private func broken(_ text: StyledText, first: String, then: String) -> [RenderedText] {
    let width = form.columns.map { $0 - max(first.utf8.count, then.utf8.count) }
    return zip(0..., text.wrapped(to: width)).map { number, line in
      let margin = number == 0 ? first : then
      let text = line.rendered(for: form)
      // Empty lines of the text remain empty.
      return text.isEmpty && margin.allSatisfy { $0 == " " } ? RenderedText() : RenderedText(margin) + text
    }
  }
}
