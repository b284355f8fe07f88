internal import CivilTime
internal import Commands
internal import JSON
internal import Publish
internal import Settings
internal import Timeline

/// A post to show, with the context from its file.
struct ShownPost {
  let post: Post
  /// The post as in the file, with a member `account` if several accounts are shown.
  let json: [UInt8]
  /// The account that received the post, if several accounts are shown.
  let account: String?
  /// Whether posts can be missing directly below it.
  let hasGapBelow: Bool
  /// Whether the post is newer than the newest read post; false if no posts are marked as read.
  let isUnread: Bool
  /// The account whose archive contains the post; nil if the file does not state it.
  let origin: AccountName?
  /// The places that a search has found.
  var matches = PostMatches()

  /// Returns posts from a file.
  /// - Parameters:
  ///   - indices: The indices of the posts in the file.
  ///   - isOneOfMany: Whether posts from other accounts are also shown.
  static func posts(
    at indices: some Sequence<Int>, of file: TimelineFile, in source: ShownSource, isOneOfMany: Bool
  ) -> [ShownPost] {
    let gaps = Set(file.head.gaps.map(\.before))
    return indices.map { index in
      let post = file.posts[index]
      // The file may come from a version that wrote these characters.
      let json = VisibleJSON.escaped(file.fragments[index])
      let origin = source.isView ? PostJSON.origin(of: json) : PostJSON.Origin()
      return ShownPost(
        post: post, json: isOneOfMany ? PostJSON.bytes(json, account: source.name) : json,
        account: isOneOfMany ? source.name : origin.account, hasGapBelow: gaps.contains(post.id),
        isUnread: origin.isUnread ?? (file.head.readUpTo != nil && file.isUnread(index)),
        origin: AccountName(source.isView ? origin.account ?? "" : source.name))
    }
  }

  /// Returns the posts sorted newest first; the sort is stable.
  static func merged(_ posts: [ShownPost]) -> [ShownPost] {
    posts.enumerated().sorted { left, right in
      let (first, second) = (left.element.post.createdAt, right.element.post.createdAt)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}

extension TimelineFile {
  /// Returns whether a post is unread. In an account's file, the newest posts are unread, or all posts if none is marked as read. Posts in
  /// a view have a member for this.
  func isUnread(_ index: Int) -> Bool {
    PostJSON.origin(of: fragments[index]).isUnread ?? (head.readUpTo == nil || index < head.unread)
  }
}

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
