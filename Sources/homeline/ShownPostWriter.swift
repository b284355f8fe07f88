internal import CivilTime
internal import Commands
internal import Publish
internal import TerminalText
internal import Timeline

/// Formats posts for `homeline show` and `homeline search`.
struct ShownPostWriter {
  let format: Command.Show.Format
  let plain: PlainText
  /// Whether to highlight unread posts; false for a file or a pipe, which scripts read.
  let marksUnread: Bool
  /// Whether the text shows ids, for commands that name a post.
  let showsIDs: Bool

  /// Returns the posts, newest first. In text, an empty line separates posts, and a line marks a gap.
  func output(of posts: [ShownPost]) -> ProgramOutput {
    switch format {
    case .text:
      .rendered(
        posts.map { $0.hasGapBelow ? text(of: $0) + RenderedText("\n") + gap(below: $0) : text(of: $0) }
          .joined(separator: "\n"))
    case .json:
      .data(
        OutputData(
          json: Array("[".utf8) + posts.map { Array("\n".utf8) + $0.json }.joined(separator: Array(",".utf8))
            + Array("\n]\n".utf8)))
    case .jsonl: lines(of: posts)
    }
  }

  /// Returns threads as text. Replies are indented below the posts that they answer; an empty line separates posts.
  func output(of threads: PostThreads) -> ProgramOutput {
    let depth = plain.greatestDepth
    let texts = threads.lines.map { line in
      text(of: line.post, showsReply: line.depth == 0, indentation: min(line.depth, depth) * PlainText.indentation)
    }
    return .rendered(texts.joined(separator: "\n"))
  }

  /// Returns further posts, oldest first.
  /// - Parameters:
  ///   - posts: The posts, oldest first.
  ///   - isFirst: Whether this is the first output.
  func output(following posts: [ShownPost], isFirst: Bool) -> ProgramOutput {
    if format != .text { return lines(of: posts) }
    let texts = posts.map { $0.hasGapBelow ? gap(below: $0) + RenderedText("\n") + text(of: $0) : text(of: $0) }
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

  private func text(of post: ShownPost, showsReply: Bool = false, indentation: Int = 0) -> RenderedText {
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
