internal import CivilTime
internal import Commands
internal import JSON
internal import Publish
internal import Timeline

/// A post that is shown, with what its file says around it.
struct ShownPost {
  let post: Post
  /// As it stands in the file, with its account where several are shown.
  let json: [UInt8]
  /// Through which account it came, where several are shown.
  let account: String?
  /// Whether posts may be missing right below it.
  let hasGapBelow: Bool
  /// Whether it is newer than what is marked as read, where anything is.
  let isUnread: Bool

  /// - Parameters:
  ///   - places: of the posts in the file.
  ///   - isOneOfMany: whether posts of other accounts are shown beside them.
  static func posts(
    at places: some Sequence<Int>, of file: TimelineFile, in source: ShownSource, isOneOfMany: Bool
  ) -> [ShownPost] {
    let gaps = Set(file.head.gaps.map(\.before))
    return places.map { place in
      let post = file.posts[place]
      // A version before may have published the file.
      let json = VisibleJSON.escaped(file.fragments[place])
      let origin = source.isView ? PostJSON.origin(of: json) : PostJSON.Origin()
      return ShownPost(
        post: post, json: isOneOfMany ? PostJSON.bytes(json, account: source.name) : json,
        account: isOneOfMany ? source.name : origin.account, hasGapBelow: gaps.contains(post.id),
        isUnread: origin.isUnread ?? (file.head.readUpTo != nil && file.isUnread(place)))
    }
  }

  /// Newest first; of the same moment those first that stood first.
  static func merged(_ posts: [ShownPost]) -> [ShownPost] {
    posts.enumerated().sorted { left, right in
      let (first, second) = (left.element.post.createdAt, right.element.post.createdAt)
      return first == second ? left.offset < right.offset : first > second
    }.map(\.element)
  }
}

extension TimelineFile {
  /// Whether the post at a place is unread: of an account the newest ones are, before the first mark all; those of a view say it
  /// themselves.
  func isUnread(_ place: Int) -> Bool {
    PostJSON.origin(of: fragments[place]).isUnread ?? (head.readUpTo == nil || place < head.unread)
  }
}

/// Posts as `homeline show` prints them.
struct ShownPostWriter {
  let format: Command.Show.Format
  let plain: PlainText
  /// Whether unread posts are set off: not in a file or a pipe, whose lines scripts read.
  let marksUnread: Bool

  /// Newest first; text with an empty line between posts, and a line of its own where others may be missing.
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

  /// Oldest first, to be followed by others.
  /// - Parameters:
  ///   - posts: oldest first.
  ///   - isFirst: whether nothing was printed before.
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

  private func text(of post: ShownPost) -> String {
    plain.text(of: post.post, from: post.account, isUnread: marksUnread && post.isUnread)
  }

  private func gap(below post: ShownPost) -> String { plain.gap(of: post.account) }
}

extension CommandEnvironment {
  /// What may be written to where output goes, at this moment: a terminal may be made wider.
  var terminalForm: TerminalForm {
    TerminalForm(
      columns: outputColumns.map(TerminalForm.textColumns), isColoured: showsColour, hasLinks: showsLinks)
  }

  /// For posts that are shown at this moment.
  func postWriter(for arguments: Command.Show, at now: Timestamp) -> ShownPostWriter {
    let form = terminalForm
    return ShownPostWriter(
      format: arguments.format, plain: PlainText(at: now, form: form),
      marksUnread: form.columns != nil && !arguments.onlyUnread && !arguments.follows)
  }
}
