/// A post's text as Weibo gives it: one line of text with no marks beside it, `&`, `<` and `>` escaped, links shortened to `t.cn`,
/// topics between two `#`, emoticons by their names in brackets, and cut where it is long.
struct WeiboText {
  /// Where it is cut, in characters.
  private static let limit = 140
  private static let emoticons = ["[哈哈]", "[doge]", "[心]", "[赞]"]

  let text: String
  let isCut: Bool

  init(_ post: SandboxPost) {
    var text = ""
    // A link at the end that leads to what is passed on is not needed: the post is there.
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
    var dice = Dice(19, post.id)
    if dice.roll(5) == 0 { text += dice.pick(Self.emoticons) }
    isCut = text.count > Self.limit
    if isCut { text = text.prefix(Self.limit) + "..." }
    // As the site's own pages end what is typed into them.
    if dice.roll(2) == 0 { text += " \u{200b}" }
    self.text = Self.escaped(text)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension SandboxPost {
  /// The post that it passes on, if any.
  var passedOn: SandboxPost? {
    switch companion {
    case .none: nil
    case .reposted(let post), .quoted(let post, _): post
    }
  }

  /// What its author wrote: who passes something on without a word is given two.
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
