internal import Time

/// Generates the posts of a timeline from their indices.
struct PostFactory: Sendable {
  private enum Kind {
    case note, essay, response

    func texts(of author: Author) -> [String] {
      switch self {
      case .note: author.notes
      case .essay: author.essays
      case .response: author.responses
      }
    }
  }

  private let seed: UInt64
  private let calendar: PostCalendar
  private let writers: [Author]

  init(seed: UInt64, calendar: PostCalendar, writers: [Author]) {
    self.seed = seed
    self.calendar = calendar
    self.writers = writers
  }

  /// Returns the author of the post with an index: the first random number determines it.
  func author(of index: Int) -> Author {
    var dice = SeededRandom(seed &+ 3, UInt64(index))
    return dice.pick(writers)
  }

  /// Returns a plain post from outside the timeline.
  func note(
    by author: Author, at moment: Timestamp, isResponse: Bool = false, _ dice: inout SeededRandom
  ) -> SandboxPost {
    plain(
      PostCalendar.id(at: moment, dice.roll(1 << 22)), moment, by: author, kind: isResponse ? .response : .note, &dice)
  }

  /// Returns the post with an index.
  func post(_ index: Int) -> SandboxPost {
    var dice = SeededRandom(seed &+ 3, UInt64(index))
    let id = calendar.id(of: index)
    let moment = calendar.moment(of: index)
    let author = dice.pick(writers)
    switch dice.roll(100) {
    case 0..<14: return repost(id, moment, by: author, &dice)
    case 14..<22: return quote(id, moment, by: author, &dice)
    case 22..<34: return reply(id, moment, by: author, to: index - 1 - dice.roll(30), &dice)
    case 34..<48: return picture(id, moment, by: author, &dice)
    case 48..<51: return film(id, moment, by: author, &dice)
    case 51..<58: return plain(id, moment, by: author, kind: author.essays.isEmpty ? .note : .essay, &dice)
    default: return plain(id, moment, by: author, kind: .note, &dice)
    }
  }

  private func plain(
    _ id: UInt64, _ moment: Timestamp, by author: Author, kind: Kind, _ dice: inout SeededRandom
  ) -> SandboxPost {
    let text = Self.filled(dice.pick(kind.texts(of: author)), author, &dice)
    let path = text.contains("{link}") ? dice.letters(6) : ""
    let short = Self.short(&dice)
    // Most posts have few likes, and few have many.
    let likes = dice.roll(dice.roll(dice.roll(900) + 1) + 1)
    return SandboxPost(
      id: id, createdAt: moment, author: author,
      pieces: PostPiece.parse(text) {
        let host = author.screenName.split(separator: "_").joined(separator: "-")
        return .link(short: short, expanded: "https://\(host).example/\(author.language)/\(path)?from=home&n=1")
      },
      reposts: likes / 4, likes: likes)
  }

  private func repost(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout SeededRandom) -> SandboxPost {
    let kind: Kind = dice.roll(3) > 0 ? .essay : .note
    let writers = (kind == .essay ? Author.essayists : Author.writers).filter { $0.id != author.id }
    let original = older(than: moment, by: dice.pick(writers), kind: kind, &dice)
    return SandboxPost(
      id: id, createdAt: moment, author: author,
      pieces: [.plain("RT "), .mention(original.author), .plain(": ")] + original.pieces,
      companion: .reposted(original), reposts: original.reposts, likes: 0)
  }

  private func quote(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout SeededRandom) -> SandboxPost {
    let quoted = older(than: moment, by: dice.pick(Author.writers.filter { $0.id != author.id }), kind: .note, &dice)
    var post = plain(id, moment, by: author, kind: .response, &dice)
    let short = Self.short(&dice)
    post.pieces += [.plain(" "), .link(short: short, expanded: quoted.webAddress)]
    post.companion = .quoted(quoted, short: short)
    return post
  }

  private func reply(
    _ id: UInt64, _ moment: Timestamp, by author: Author, to index: Int, _ dice: inout SeededRandom
  ) -> SandboxPost {
    var post = plain(id, moment, by: author, kind: .response, &dice)
    guard index >= 0 else { return post }
    let other = self.author(of: index)
    post.reply = (calendar.id(of: index), other)
    post.pieces = [.mention(other), .plain(" ")] + post.pieces
    return post
  }

  private func picture(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout SeededRandom) -> SandboxPost
  {
    var post = plain(id, moment, by: author, kind: .note, &dice)
    for _ in 0..<dice.pick([1, 1, 1, 2, 3]) {
      // Some pictures have no description.
      let text = dice.roll(5) > 0 ? dice.pick(author.pictures) : nil
      post.attachments.append(.init(isVideo: false, key: dice.letters(15), alternativeText: text))
    }
    post.pieces += [.plain(" "), .media(short: Self.short(&dice))]
    return post
  }

  private func film(_ id: UInt64, _ moment: Timestamp, by author: Author, _ dice: inout SeededRandom) -> SandboxPost {
    var post = plain(id, moment, by: author, kind: .note, &dice)
    post.attachments = [.init(isVideo: true, key: dice.letters(15), alternativeText: nil)]
    post.pieces += [.plain(" "), .media(short: Self.short(&dice))]
    return post
  }

  /// Returns a post from outside the timeline, up to two days older.
  private func older(
    than moment: Timestamp, by author: Author, kind: Kind, _ dice: inout SeededRandom
  ) -> SandboxPost {
    let then = moment - .seconds(60 + dice.roll(2 * 86400))
    return plain(PostCalendar.id(at: then, dice.roll(1 << 22)), then, by: author, kind: kind, &dice)
  }

  private static func short(_ dice: inout SeededRandom) -> String { "https://t.co/\(dice.letters(10))" }

  /// Replaces the placeholders in text.
  private static func filled(_ text: String, _ author: Author, _ dice: inout SeededRandom) -> String {
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
      default:  // `PostPiece.parse` replaces `{link}`.
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
