internal import CivilTime

/// Makes posts out of their numbers.
struct PostFactory: Sendable {
  private let seed: UInt64
  private let timeline: SandboxTimeline

  init(seed: UInt64, timeline: SandboxTimeline) {
    self.seed = seed
    self.timeline = timeline
  }

  /// The post at a place of the timeline.
  func post(_ index: Int) -> SandboxPost {
    var dice = Dice(seed &+ 3, UInt64(index))
    let id = timeline.id(of: index)
    let moment = timeline.moment(of: index)
    let author = dice.pick(Author.writers)
    switch dice.roll(100) {
    case 0..<14: return repost(id, moment, by: author, &dice)
    case 14..<22: return quote(id, moment, by: author, &dice)
    case 22..<34: return reply(id, moment, by: author, to: index - 1 - dice.roll(30), &dice)
    case 34..<48: return picture(id, moment, by: author, &dice)
    case 48..<51: return film(id, moment, by: author, &dice)
    case 51..<58: return plain(id, moment, by: author, isEssay: !author.essays.isEmpty, &dice)
    default: return plain(id, moment, by: author, isEssay: false, &dice)
    }
  }

  private func plain(
    _ id: UInt64, _ moment: Timestamp, by author: Author, isEssay: Bool, _ dice: inout Dice
  ) -> SandboxPost {
    let text = Self.filled(dice.pick(isEssay ? author.essays : author.notes), author, &dice)
    let path = text.contains("{link}") ? dice.letters(6) : ""
    let short = Self.short(&dice)
    // Skewed: most posts please a few, a few please many.
    let likes = dice.roll(dice.roll(dice.roll(900) + 1) + 1)
    return SandboxPost(
      id: id, createdAt: moment, author: author,
      pieces: PostPiece.parse(text) {
        let host = author.screenName.split(separator: "_").joined(separator: "-")
        return .link(short: short, expanded: "https://\(host).example/\(author.language)/\(path)?from=home&n=1")
      },
      reposts: likes / 4, likes: likes)
  }

  private func repost(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout Dice) -> SandboxPost {
    let isEssay = dice.roll(3) > 0
    let writers = (isEssay ? Author.essayists : Author.writers).filter { $0.id != author.id }
    let original = older(than: moment, by: dice.pick(writers), isEssay: isEssay, &dice)
    return SandboxPost(
      id: id, createdAt: moment, author: author,
      pieces: [.plain("RT "), .mention(original.author), .plain(": ")] + original.pieces,
      companion: .reposted(original), reposts: original.reposts, likes: 0)
  }

  private func quote(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout Dice) -> SandboxPost {
    let quoted = older(than: moment, by: dice.pick(Author.writers.filter { $0.id != author.id }), isEssay: false, &dice)
    var post = plain(id, moment, by: author, isEssay: false, &dice)
    let short = Self.short(&dice)
    post.pieces += [.plain(" "), .link(short: short, expanded: quoted.webAddress)]
    post.companion = .quoted(quoted, short: short)
    return post
  }

  private func reply(
    _ id: UInt64, _ moment: Timestamp, by author: Author, to index: Int, _ dice: inout Dice
  ) -> SandboxPost {
    var post = plain(id, moment, by: author, isEssay: false, &dice)
    guard index >= 0 else { return post }
    // Only the other's name is needed here, and its draw comes first.
    var others = Dice(seed &+ 3, UInt64(index))
    let other = others.pick(Author.writers)
    post.reply = (timeline.id(of: index), other)
    post.pieces = [.mention(other), .plain(" ")] + post.pieces
    return post
  }

  private func picture(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout Dice) -> SandboxPost {
    var post = plain(id, moment, by: author, isEssay: false, &dice)
    for _ in 0..<dice.pick([1, 1, 1, 2, 3]) {
      // Not everybody describes every picture.
      let text = dice.roll(5) > 0 ? dice.pick(author.pictures) : nil
      post.attachments.append(.init(isVideo: false, key: dice.letters(15), alternativeText: text))
    }
    post.pieces += [.plain(" "), .media(short: Self.short(&dice))]
    return post
  }

  private func film(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout Dice) -> SandboxPost {
    var post = plain(id, moment, by: author, isEssay: false, &dice)
    post.attachments = [.init(isVideo: true, key: dice.letters(15), alternativeText: nil)]
    post.pieces += [.plain(" "), .media(short: Self.short(&dice))]
    return post
  }

  /// A post from outside this timeline, written up to two days before.
  private func older(
    than moment: Timestamp, by author: Author, isEssay: Bool, _ dice: inout Dice
  ) -> SandboxPost {
    let then = moment - .seconds(60 + dice.roll(2 * 86400))
    return plain(SandboxTimeline.id(at: then, dice.roll(1 << 22)), then, by: author, isEssay: isEssay, &dice)
  }

  private static func short(_ dice: inout Dice) -> String { "https://t.co/\(dice.letters(10))" }

  /// Puts things and numbers into a text.
  private static func filled(_ text: String, _ author: Author, _ dice: inout Dice) -> String {
    var result = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      let replacement: String
      switch rest.prefix(3) {
      case "{x}": replacement = dice.pick(author.things)
      case "{n}": replacement = String(3 + dice.roll(7))
      case "{m}": replacement = String(10 + dice.roll(50))
      default:  // `{link}` is for later.
        result += rest.prefix(1)
        rest = rest.dropFirst()
        continue
      }
      result += replacement
      rest = rest.dropFirst(3)
    }
    return result + rest
  }
}
