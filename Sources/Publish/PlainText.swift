package import CivilTime
package import Timeline

/// Posts as text for a terminal.
///
/// ```
/// Sean Cook @theSeanCook · 3 min
///   reposted by jack @jack
///   The text, one line for each of its own.
///   > Mira @mira_demo: what is quoted
///   photo https://… (what is to be seen)
///   https://…
/// ```
/// What comes from the provider passes `SafeText`, so that no post can drive the terminal.
package struct PlainText: Sendable {
  private let now: Timestamp
  private let style: Style

  /// - Parameters:
  ///   - now: what ages are counted from.
  ///   - isColoured: whether names and small print are set off by ANSI colours.
  package init(at now: Timestamp, isColoured: Bool = false) {
    self.now = now
    style = Style(isOn: isColoured)
  }

  /// The post in a few lines, each with a line feed at its end.
  package func text(of post: Post) -> String {
    var lines = ["\(name(of: post.author)) \(style.faint("· \(Age(of: post.createdAt, at: now))"))"]
    if let repostedBy = post.repostedBy { lines.append(indented(style.faint("reposted by ") + name(of: repostedBy))) }
    lines += SafeText.lines(of: post.text).map(indented)
    if let quoted = post.quoted { lines += self.lines(of: quoted).map(indented) }
    lines += post.media.map(line).map(indented)
    if let url = post.url { lines.append(indented(style.faint(SafeText.line(of: url)))) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func indented(_ line: String) -> String { line.isEmpty ? "" : "  " + line }

  private func name(of user: User) -> String {
    let name = SafeText.line(of: user.name)
    let screenName = SafeText.line(of: user.screenName)
    if screenName.isEmpty { return style.strong(name.isEmpty ? "(unknown)" : name) }
    return style.strong(name.isEmpty ? screenName : name) + " " + style.faint("@" + screenName)
  }

  private func lines(of quote: Post.Quote) -> [String] {
    let text = SafeText.lines(of: quote.text)
    let first = "> \(name(of: quote.author)): \(text.first ?? "")"
    return [first] + text.dropFirst().map { "> " + $0 } + quote.media.map { "> " + line($0) }
  }

  private func line(_ media: Media) -> String {
    let kind = media.kind == .animation ? "animation" : media.kind.rawValue
    let seen = media.alternativeText.map { " (\(SafeText.line(of: $0)))" } ?? ""
    return style.faint("\(kind) \(SafeText.line(of: media.url))") + seen
  }

  /// The few ANSI sequences that are used (ECMA-48 §8.3.117, SGR).
  private struct Style: Sendable {
    let isOn: Bool

    func strong(_ text: String) -> String { isOn ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    func faint(_ text: String) -> String { isOn ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
  }
}
