internal import CivilTime
internal import JSON
internal import Timeline

/// What a status bar shows of the timeline, as one line of JSON in the form that waybar reads from a program (`waybar-custom(5)`,
/// `return-type: json`).
///
/// - `text`: how many posts are unread, behind a `⚠` where something is wrong; never empty, for then waybar hides the module. It holds
///   nothing that a bar takes for a style, so that others show it as it is (`jq -r .text`).
/// - `tooltip`: what is wrong, then the newest unread posts, a line each.
/// - `class`: `unread` or `read`, and `stale` and `login` where they apply: names for a style sheet.
/// - `alt`: the one of them that matters most, for `format-icons`.
///
/// Waybar takes text and tooltip for Pango markup, and where that is broken it goes on showing the old ones: so they are escaped here.
enum BarLine {
  static func bytes(of publication: Publication) -> [UInt8] {
    let state = BarState(publication.head, at: publication.madeAt)
    let mark = state.isTroubled ? "⚠ " : ""
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", MarkupEscape.text("\(mark)\(publication.head.unread)"))
      writer.member("tooltip", MarkupEscape.text(tooltip(of: publication, state).joined(separator: "\n")))
      writer.member("alt", state.mostPressing)
      writer.member("class", list: state.classes) { $0.string($1) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Few enough to stand beside a pointer.
  private static let mostLines = 10

  private static func tooltip(of publication: Publication, _ state: BarState) -> [String] {
    let head = publication.head
    let trouble = state.trouble.map { ShortLine.of($0, characters: 160) }
    let unread = publication.posts.filter(\.isUnread)
    guard !unread.isEmpty else { return trouble + ["\(ShortLine.of(head.account, characters: 80)): nothing unread"] }
    let room = mostLines - trouble.count
    // The line that tells of the others takes the place of a post.
    let shown = unread.count > room || head.unread > unread.count ? min(unread.count, room - 1) : unread.count
    let lines = unread.prefix(shown).map { published in
      ShortLine.of(
        PersonName.line(of: published.post.author) + " " + PostTitle.words(of: published.post), characters: 80)
    }
    let others = max(head.unread, unread.count) - shown
    return trouble + lines + (others > 0 ? ["and \(others) more"] : [])
  }
}

/// What of a timeline's state a status bar should show.
struct BarState: Sendable {
  /// `unread` or `read`, then what is wrong.
  let classes: [String]
  /// What is wrong, in sentences.
  let trouble: [String]

  var isTroubled: Bool { classes.count > 1 }
  /// What needs its user first.
  var mostPressing: String { classes.last! }

  /// - Parameter now: when it is published: a login's end is said a week before, as the service warns of it.
  init(_ head: TimelineHead, at now: Timestamp) {
    var classes = [head.unread > 0 ? "unread" : "read"]
    var trouble: [String] = []
    if head.problem != nil || head.staleSince != nil {
      classes.append("stale")
      if let since = head.staleSince { trouble.append("Refreshes have failed since \(since.rfc3339).") }
      if let problem = head.problem { trouble.append(problem.message) }
    }
    let endsSoon = head.loginNeededBy.flatMap { $0 - now <= .seconds(7 * 86400) ? $0 : nil }
    if let endsSoon { trouble.append("Log in again by \(endsSoon.rfc3339): homeline login \(head.account)") }
    if endsSoon != nil || head.problem?.code == .notAuthorised { classes.append("login") }
    self.classes = classes
    self.trouble = trouble
  }
}
