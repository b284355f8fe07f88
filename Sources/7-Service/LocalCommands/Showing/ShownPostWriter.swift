package import Commands
package import Formats
package import TerminalText
internal import Time
internal import Timeline

/// Formats posts for `homeline show` and `homeline search`.
package struct ShownPostWriter {
  package let format: Command.Show.Format
  package let plain: PlainText
  /// Whether to highlight unread posts; false for a file or a pipe, which scripts read.
  package let marksUnread: Bool
  /// Whether the text shows ids, for commands that name a post.
  package let showsIDs: Bool

  package init(format: Command.Show.Format, plain: PlainText, marksUnread: Bool, showsIDs: Bool) {
    self.format = format
    self.plain = plain
    self.marksUnread = marksUnread
    self.showsIDs = showsIDs
  }

  /// Returns the posts, newest first. In text, an empty line separates posts, a line marks a gap, and likes, reposts and follows that belong
  /// together are shown as one.
  package func output(of posts: [ShownPost]) -> ProgramOutput {
    switch format {
    case .text:
      .rendered(
        ShownPost.joiningNotices(posts)
          .map { $0.hasGapBelow ? text(of: $0) + RenderedText("\n") + gap(below: $0) : text(of: $0) }
          .joined(separator: "\n"))
    case .json:
      .data(
        OutputData(
          json: Array("[".utf8) + posts.map { Array("\n".utf8) + $0.json }.joined(separator: Array(",".utf8))
            + Array("\n]\n".utf8)))
    case .jsonl: lines(of: posts)
    }
  }

  /// Returns further posts, oldest first.
  /// - Parameters:
  ///   - posts: The posts, oldest first.
  ///   - isFirst: Whether this is the first output.
  func output(following posts: [ShownPost], isFirst: Bool) -> ProgramOutput {
    if format != .text { return lines(of: posts) }
    let joined = ShownPost.joiningNotices(posts.reversed()).reversed()
    let texts = joined.map { $0.hasGapBelow ? gap(below: $0) + RenderedText("\n") + text(of: $0) : text(of: $0) }
    return .rendered(RenderedText(isFirst ? "" : "\n") + texts.joined(separator: "\n"))
  }

  private func lines(of posts: [ShownPost]) -> ProgramOutput {
    var lines: [UInt8] = []
    for post in posts {
      lines += post.json
      lines.append(UInt8(ascii: "\n"))
    }
    return .data(OutputData(json: lines))
  }

  /// Returns a post as text.
  package func text(of post: ShownPost, showsReply: Bool = false, indentation: Int = 0) -> RenderedText {
    plain.text(
      of: post.post,
      PlainText.Details(
        account: post.account, isUnread: marksUnread && post.isUnread, showsID: showsIDs, showsReply: showsReply,
        matches: post.matches, indentation: indentation))
  }

  private func gap(below post: ShownPost) -> RenderedText { plain.gap(of: post.account) }
}

extension CommandEnvironment {
  /// Returns a writer for the current time and the current terminal.
  func postWriter(for arguments: Command.Show, at now: Timestamp) -> ShownPostWriter {
    let form = terminalForm
    return ShownPostWriter(
      format: arguments.format, plain: PlainText(at: now, form: form),
      marksUnread: form.columns != nil && !arguments.onlyUnread && !arguments.follows,
      showsIDs: arguments.showsIDs)
  }
}
