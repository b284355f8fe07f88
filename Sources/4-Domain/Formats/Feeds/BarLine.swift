internal import HTTP
internal import JSON
internal import Time
internal import Timeline

/// A JSON line for a status bar, in the form that waybar reads from a program (`waybar-custom(5)`, `return-type: json`).
///
/// - `text`: the number of unread posts, after a `⚠` if there is a problem. It is never empty, because waybar would then hide the module.
///   It contains no markup, so other bars can show it unchanged (`jq -r .text`).
/// - `tooltip`: problems, then the newest unread posts, one per line.
/// - `class`: `unread` or `read`, followed by `stale` and `login` if they apply, for use in a style sheet.
/// - `alt`: the most important class, for `format-icons`.
///
/// Waybar parses text and tooltip as Pango markup, and keeps the old ones if the markup is malformed, so both are escaped.
enum BarLine {
  static func bytes(of publication: Publication) -> [UInt8] {
    let state = BarState(publication.head, at: publication.madeAt)
    let mark = state.hasProblem ? "⚠ " : ""
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", Markup(escaping: "\(mark)\(publication.head.unread)").text)
      writer.member("tooltip", Markup(escaping: tooltip(of: publication, state).joined(separator: "\n")).text)
      writer.member("alt", state.mostImportant)
      writer.member("class", list: state.classes) { $0.string($1) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// The maximum number of lines in a tooltip.
  private static let mostLines = 10

  private static func tooltip(of publication: Publication, _ state: BarState) -> [String] {
    let head = publication.head
    let problems = state.problems.map { ShortLine.of($0, characters: 160) }
    let unread = publication.posts.filter(\.isUnread)
    guard !unread.isEmpty else { return problems + ["\(ShortLine.of(head.name, characters: 80)): no unread posts"] }
    let lineCount = mostLines - problems.count
    // The line about the remaining posts replaces one post.
    let shown = unread.count > lineCount || head.unread > unread.count ? min(unread.count, lineCount - 1) : unread.count
    let lines = unread.prefix(shown).map { published in
      ShortLine.of(line(of: published.post), characters: 80)
    }
    let others = max(head.unread, unread.count) - shown
    return problems + lines + (others > 0 ? ["and \(others) more"] : [])
  }

  private static func line(of post: Post) -> String {
    let excerpt = PostTitle.excerpt(of: post)
    guard let sentence = NoticeSentence(post)?.text(PersonName.line) else {
      return PersonName.line(of: post.author) + " " + excerpt
    }
    return excerpt.isEmpty ? sentence : sentence + ": " + excerpt
  }
}

/// A timeline's state as a status bar shows it.
struct BarState: Sendable {
  /// `unread` or `read`, followed by the classes for problems.
  let classes: [String]
  /// The problems, as sentences.
  let problems: [String]

  var hasProblem: Bool { classes.count > 1 }
  /// The most important class.
  var mostImportant: String { classes.last! }

  /// - Parameter now: the time of publication. A login's expiry is shown a week ahead, like the service's warning.
  init(_ head: TimelineHead, at now: Timestamp) {
    var classes = [head.unread > 0 ? "unread" : "read"]
    var problems: [String] = []
    if head.problem != nil || head.staleSince != nil {
      classes.append("stale")
      if let since = head.staleSince { problems.append("Refreshes have failed since \(since.rfc3339).") }
      if let problem = head.problem { problems.append(problem.message) }
    }
    let endsSoon = head.loginNeededBy.flatMap { $0 - now <= .seconds(7 * 86400) ? $0 : nil }
    if let endsSoon { problems.append("Log in again by \(endsSoon.rfc3339): homeline login \(head.account)") }
    if endsSoon != nil || head.problem?.code == .notAuthorised { classes.append("login") }
    self.classes = classes
    self.problems = problems
  }
}
