internal import Publish
internal import Timeline

/// New posts as `notify-send(1)` shows them.
struct DesktopNotification {
  static let program = "notify-send"
  /// Further posts are only counted.
  private static let shown = 3
  /// In characters of each post.
  private static let length = 140

  let summary: String
  /// With the markup of the Desktop Notifications Specification, in which a text's own signs are escaped.
  let body: String

  /// - Parameter posts: newest first.
  init(of posts: [Post], account: String) {
    summary = "\(account): \(posts.count) new \(posts.count == 1 ? "post" : "posts")"
    body = posts.prefix(Self.shown).map(Self.line).joined(separator: "\n")
  }

  var arguments: [String] { ["--app-name=homeline", "--", summary, body] }

  private static func line(of post: Post) -> String {
    let text = SafeText.line(of: post.text)
    let short = text.count > length ? text.prefix(length - 1) + "…" : text[...]
    return MarkupEscape.text("\(SafeText.line(of: post.author.name)): \(short)")
  }
}
