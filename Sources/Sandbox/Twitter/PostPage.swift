internal import CivilTime
internal import HTTP

/// The web page of a post, at `/NAME/status/ID`, the `url` of a published post.
enum PostPage {
  /// - Returns: `nil` if the path is not that of a post.
  static func response(to request: Request, in timeline: SandboxTimeline, at time: Timestamp) -> Response? {
    let parts = request.target.path.split(separator: "/", omittingEmptySubsequences: false)
    guard request.method == .get, parts.count == 4, parts[0].isEmpty, parts[2] == "status", let id = UInt64(parts[3])
    else { return nil }
    guard let post = timeline.post(id, at: time), post.author.screenName == parts[1] else {
      return SandboxPage.response(
        title: "There is no such post", status: .notFound, body: "<p>It does not exist, or not yet.</p>")
    }
    let pictures = post.attachments.map { attachment in
      "<p>[\(attachment.isVideo ? "video" : "picture")] \(HTML.escaped(attachment.alternativeText ?? ""))</p>"
    }
    return SandboxPage.response(
      title: "\(HTML.escaped(post.author.name)) (@\(HTML.escaped(post.author.screenName)))",
      body: """
        <p>\(HTML.escaped(post.pieces.map(\.text).joined()))</p>
        \(pictures.joined(separator: "\n"))
        <p><time datetime="\(post.createdAt.rfc3339)">\(post.createdAt.rfc3339)</time></p>
        """)
  }
}

extension PostPiece {
  fileprivate var text: String {
    switch self {
    case .plain(let text): text
    case .hashtag(let word): "#\(word)"
    case .mention(let author): "@\(author.screenName)"
    case .link(_, let expanded): expanded
    case .media: ""
    }
  }
}
