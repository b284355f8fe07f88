internal import CivilTime
internal import Commands
internal import Publish
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
  func bytes(of posts: [ShownPost]) -> [UInt8] {
    switch format {
    case .text:
      Array(posts.map { text(of: $0) + ($0.hasGapBelow ? "\n" + gap(below: $0) : "") }.joined(separator: "\n").utf8)
    case .json:
      Array("[".utf8) + posts.map { Array("\n".utf8) + $0.json }.joined(separator: Array(",".utf8))
        + Array("\n]\n".utf8)
    case .jsonl: lines(of: posts)
    }
  }

  /// Returns threads as text. Replies are indented below the posts that they answer; an empty line separates posts.
  func bytes(of threads: PostThreads) -> [UInt8] {
    let depth = plain.greatestDepth
    let texts = threads.lines.map { line in
      text(of: line.post, showsReply: line.depth == 0, indentation: min(line.depth, depth) * PlainText.indentation)
    }
    return Array(texts.joined(separator: "\n").utf8)
  }

  /// Returns the bytes of further posts, oldest first.
  /// - Parameters:
  ///   - posts: The posts, oldest first.
  ///   - isFirst: Whether this is the first output.
  func bytes(following posts: [ShownPost], isFirst: Bool) -> [UInt8] {
    if format != .text { return lines(of: posts) }
    let texts = posts.map { ($0.hasGapBelow ? gap(below: $0) + "\n" : "") + text(of: $0) }
    return Array(((isFirst ? "" : "\n") + texts.joined(separator: "\n")).utf8)
  }

  private func lines(of posts: [ShownPost]) -> [UInt8] {
    var lines: [UInt8] = []
    for post in posts {
      lines += post.json
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  private func text(of post: ShownPost, showsReply: Bool = false, indentation: Int = 0) -> String {
    plain.text(
      of: post.post,
      PlainText.Details(
        account: post.account, isUnread: marksUnread && post.isUnread, showsID: showsIDs, showsReply: showsReply,
        matches: post.matches, indentation: indentation))
  }

  private func gap(below post: ShownPost) -> String { plain.gap(of: post.account) }
}

extension CommandEnvironment {
  /// The current width and features of the output; the user can resize a terminal.
  var terminalForm: TerminalForm {
    TerminalForm(
      columns: outputColumns.map(TerminalForm.textColumns), isColoured: showsColour, hasLinks: showsLinks)
  }

  /// Returns a writer for the current time and the current terminal.
  func postWriter(for arguments: Command.Show, at now: Timestamp) -> ShownPostWriter {
    let form = terminalForm
    return ShownPostWriter(
      format: arguments.format, plain: PlainText(at: now, form: form),
      marksUnread: form.columns != nil && !arguments.onlyUnread && !arguments.follows,
      showsIDs: arguments.showsIDs)
  }
}
