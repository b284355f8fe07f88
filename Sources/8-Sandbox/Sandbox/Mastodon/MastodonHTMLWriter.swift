internal import HTTP

/// Writes a post's text as Mastodon's HTML: links have invisible parts, and mentions and hashtags are links.
struct MastodonHTMLWriter: Sendable {
  /// The number of visible characters in a link.
  private static let visible = 30

  /// Scheme and host, without a trailing slash.
  let base: String

  func html(_ pieces: [PostPiece]) -> Markup {
    // Media are not part of the text.
    var pieces = pieces.filter { if case .media = $0 { false } else { true } }
    if case .plain(var text)? = pieces.last {
      while text.hasSuffix(" ") { text.removeLast() }
      pieces[pieces.count - 1] = .plain(text)
    }
    let html = pieces.map(write).joined()
    return html.isEmpty ? "" : "<p>\(html)</p>"
  }

  /// Returns the line that replaces a quoted post on servers without quotes.
  func quoteLine(_ address: String) -> Markup { #"<p class="quote-inline">RE: \#(link(address))</p>"# }

  private func write(_ piece: PostPiece) -> Markup {
    switch piece {
    case .plain(let text):
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" as Markup }.joined(separator: "<br>")
    case .hashtag(let word):
      #"<a href="\#(base)/tags/\#(word)" class="mention hashtag" rel="tag">#<span>\#(word)</span></a>"#
    case .mention(let author):
      #"""
      <span class="h-card" translate="no"><a href="\#(MastodonPeople.page(author, base: base))" class="u-url mention">\#
      @<span>\#(author.screenName)</span></a></span>
      """#
    case .link(_, let expanded): link(expanded)
    case .media: ""
    }
  }

  private func link(_ address: String) -> Markup {
    let scheme = address.hasPrefix("https://") ? "https://" : ""
    let rest = address.dropFirst(scheme.count)
    let shown = rest.prefix(Self.visible)
    let hidden = rest.dropFirst(Self.visible)
    return #"""
      <a href="\#(address)" target="_blank" rel="nofollow noopener" translate="no">\#
      <span class="invisible">\#(scheme)</span><span class="\#(hidden.isEmpty ? "" : "ellipsis")">\#
      \#(shown)</span><span class="invisible">\#(hidden)</span></a>
      """#
  }
}

/// The authors' addresses. Some authors are on this server; the others are on a remote server.
enum MastodonPeople {
  private static let remoteHost = "far.example"

  static func isRemote(_ author: Author) -> Bool { author.id != Author.mira.id && author.id % 2 == 0 }

  /// Returns the `acct`, which includes the host for accounts on the remote server.
  static func address(_ author: Author) -> String { author.screenName + (isRemote(author) ? "@" + remoteHost : "") }

  static func page(_ author: Author, base: String) -> String {
    (isRemote(author) ? "https://\(remoteHost)" : base) + "/@" + author.screenName
  }
}
