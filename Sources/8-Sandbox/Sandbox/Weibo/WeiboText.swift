/// A post's text as Weibo writes it, without entities: `&`, `<` and `>` are escaped, links are shortened to `t.cn`, hashtags are
/// enclosed in `#`, emoticons are written as names in brackets, and long text is truncated.
struct WeiboText {
  /// The maximum length in characters.
  private static let limit = 140
  private static let emoticons = ["[哈哈]", "[doge]", "[心]", "[赞]"]

  let text: String
  let isCut: Bool

  init(_ post: SandboxPost) {
    var text = ""
    for piece in post.ownPieces {
      switch piece {
      case .plain(let plain): text += plain
      case .hashtag(let word): text += "#\(word)#"
      case .mention(let author): text += "@\(author.screenName)"
      case .link(let short, _): text += "http://t.cn/" + short.suffix(7)
      case .media: break
      }
    }
    while text.last == " " { text.removeLast() }
    var dice = SeededRandom(19, post.id)
    // The text of the user's own posts is not changed.
    let isOwn = post.author.id == Author.mira.id
    if dice.roll(5) == 0, !isOwn { text += dice.pick(Self.emoticons) }
    isCut = text.count > Self.limit && !isOwn
    if isCut { text = text.prefix(Self.limit) + "..." }
    // Weibo's own web pages add this to text typed into them.
    if dice.roll(2) == 0 { text += " \u{200b}" }
    self.text = Self.escaped(text)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension SandboxPost {
  /// The reposted or quoted post, if any.
  var original: SandboxPost? {
    switch companion {
    case .none: nil
    case .reposted(let post), .quoted(let post, _): post
    }
  }

  /// The author's own text, without the link to a quoted post. A repost without text gets a standard text ("repost").
  fileprivate var ownPieces: [PostPiece] {
    switch companion {
    case .none: return pieces
    case .reposted: return [.plain("转发微博")]
    case .quoted(_, let link):
      return pieces.filter { piece in
        if case .link(short: link, _) = piece { false } else { true }
      }
    }
  }
}
