internal import Commands
internal import Publish

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
