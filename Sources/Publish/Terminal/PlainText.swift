package import CivilTime
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
/// External text passes through `SafeText`, so that no post can control the terminal. Lines are wrapped only on a terminal whose width is
/// known.
package struct PlainText: Sendable {
  private let now: Timestamp
  private let form: TerminalForm

  /// - Parameters:
  ///   - now: the time from which ages are counted.
  ///   - form: what the terminal supports.
  package init(at now: Timestamp, form: TerminalForm) {
    self.now = now
    self.form = form
  }

  /// - Parameter isColoured: whether names and details are highlighted with ANSI colours.
  package init(at now: Timestamp, isColoured: Bool = false) {
    self.init(at: now, form: TerminalForm(isColoured: isColoured))
  }

  /// Returns the post as lines, each followed by a line feed.
  /// - Parameters:
  ///   - account: the account that received the post, if several accounts are shown.
  ///   - isUnread: whether the post is marked as unread.
  ///   - showsID: whether the post's id is in the last line.
  package func text(
    of post: Post, from account: String? = nil, isUnread: Bool = false, showsID: Bool = false
  ) -> String {
    var lines = broken(heading(of: post, from: account, isUnread: isUnread), first: "", then: "  ")
    if let repostedBy = post.repostedBy {
      lines += broken(StyledText("reposted by ", .faint) + name(of: repostedBy), after: "  ")
    }
    for line in SafeText.lines(of: post.text) { lines += broken(PostStyling.styled(line), after: "  ") }
    if let quoted = post.quoted { lines += self.lines(of: quoted) }
    for media in post.media { lines += broken(line(media), after: "  ") }
    if let url = post.url { lines += broken(address(url), after: "  ") }
    if showsID { lines += broken(StyledText("id \(SafeText.line(of: post.id.text))", .faint), after: "  ") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the line that marks a gap between posts.
  package func gap(of account: String? = nil) -> String {
    let name = account.map { " of " + SafeText.line(of: $0) } ?? ""
    return StyledText("· · ·  posts\(name) may be missing here", .faint).text(for: form) + "\n"
  }

  private func heading(of post: Post, from account: String?, isUnread: Bool) -> StyledText {
    var heading = StyledText()
    if isUnread { heading.append("● ", .accent) }
    heading = heading + name(of: post.author)
    heading.append(" ")
    var details = "· \(Age(of: post.createdAt, at: now))"
    if post.editedAt != nil { details += " · edited" }
    if let account { details += " · " + SafeText.line(of: account) }
    heading.append(details, .faint)
    return heading
  }

  private func name(of user: User) -> StyledText {
    let name = SafeText.line(of: user.name)
    let screenName = SafeText.line(of: user.screenName)
    if screenName.isEmpty { return StyledText(name.isEmpty ? "(unknown)" : name, .strong) }
    var both = StyledText(name.isEmpty ? screenName : name, .strong)
    both.append(" ")
    both.append("@" + screenName, .faint)
    return both
  }

  private func lines(of quote: Post.Quote) -> [String] {
    let text = SafeText.lines(of: quote.text).map(PostStyling.styled)
    let first = name(of: quote.author) + StyledText(": ") + (text.first ?? StyledText())
    let lines = [first] + text.dropFirst() + quote.media.map(line)
    return lines.flatMap { broken($0, after: "  > ") }
  }

  private func line(_ media: Media) -> StyledText {
    let kind = media.kind == .animation ? "animation" : media.kind.rawValue
    var line = StyledText(kind + " ", .faint) + address(media.url)
    if let seen = media.alternativeText { line.append(" (\(SafeText.line(of: seen)))") }
    return line
  }

  private func address(_ url: String) -> StyledText {
    let shown = SafeText.line(of: url)
    return StyledText(shown, .faint, target: LinkTarget(shown))
  }

  private func broken(_ text: StyledText, after margin: String) -> [String] {
    broken(text, first: margin, then: margin)
  }

  /// Returns the text wrapped to lines, each after its margin. Margins must be ASCII.
  private func broken(_ text: StyledText, first: String, then: String) -> [String] {
    let width = form.columns.map { $0 - max(first.utf8.count, then.utf8.count) }
    return zip(0..., text.wrapped(to: width)).map { number, line in
      let margin = number == 0 ? first : then
      let text = line.text(for: form)
      // Empty lines of the text remain empty.
      return text.isEmpty && margin.allSatisfy { $0 == " " } ? "" : margin + text
    }
  }
}
