internal import Time

/// Computes the events that notify the user. What happens with post `i` of the home timeline depends only on the seed and `i`.
struct SandboxEvents: Sendable {
  /// The number of newest posts of the home timeline that events are computed for: about 18 hours.
  private static let reach = 1_600
  /// One in this many posts is followed by events.
  private static let interval = 10
  /// The numbers reserved for the events of one post.
  private static let width = 8

  private let timeline: SandboxTimeline
  private let ownPosts: [SandboxPost]

  /// - Parameter ownPosts: the user's posts, which must not be empty.
  init(_ timeline: SandboxTimeline, ownPosts: [SandboxPost]) {
    self.timeline = timeline
    self.ownPosts = ownPosts
  }

  /// The events up to a post of the home timeline, newest first. Computing all of them takes as long as many pages.
  private var known: (newest: Int, events: [SandboxEvent]) = (-1, [])

  /// Computes the events since the last call.
  mutating func update(at time: Timestamp) {
    guard let newest = timeline.calendar.newestIndex(at: time), newest != known.newest else { return }
    let oldest = max(0, newest - Self.reach + 1)
    // After the clock was set back, everything is computed again.
    let isLater = newest > known.newest
    let new = (max(oldest, isLater ? known.newest + 1 : 0)...newest).reversed()
      .flatMap { events(after: $0).reversed() }
    let old = isLater ? known.events.filter { $0.serial >= UInt64((oldest + 1) * Self.width) } : []
    known = (newest, new + old)
  }

  /// Returns the events so far, newest first.
  func events(at time: Timestamp) -> [SandboxEvent] {
    var current = self
    current.update(at: time)
    return current.known.events.filter { $0.createdAt <= time }
  }

  /// Returns the events that follow a post in the home timeline, oldest first.
  private func events(after index: Int) -> [SandboxEvent] {
    mentions(in: index) + chance(after: index)
  }

  private func event(
    _ kind: SandboxEvent.Kind, _ place: Int, after index: Int, by actor: Author, _ post: SandboxPost? = nil
  ) -> SandboxEvent {
    SandboxEvent(
      kind: kind, serial: UInt64((index + 1) * Self.width + place), createdAt: moment(place, after: index),
      actor: actor, post: post)
  }

  private func moment(_ place: Int, after index: Int) -> Timestamp {
    // Posts are at least 20 s apart, so the events of the next post are later.
    timeline.calendar.moment(of: index) + .seconds(2 * place)
  }

  /// Returns the mention of the user in a post that is in the home timeline too.
  private func mentions(in index: Int) -> [SandboxEvent] {
    // Only one author writes to the user, and finding the author is cheaper than generating the post.
    guard Self.correspondents.contains(timeline.factory.author(of: index).id) else { return [] }
    let post = timeline.factory.post(index)
    let isMention = post.pieces.contains {
      if case .mention(let author) = $0 { author.id == Author.mira.id } else { false }
    }
    return isMention && !post.isRepost ? [event(.mention, 0, after: index, by: post.author, post)] : []
  }

  /// The authors whose texts mention the user.
  private static let correspondents = Set(
    Author.writers.filter { $0.notes.contains { $0.contains("@" + Author.mira.screenName) } }.map(\.id))

  private func chance(after index: Int) -> [SandboxEvent] {
    var dice = SeededRandom(timeline.seed &+ 5, UInt64(index))
    guard dice.roll(Self.interval) == 0 else { return [] }
    let kind = dice.roll(100)
    let own = ownPosts[dice.roll(ownPosts.count)]
    let stranger = dice.pick(Author.strangers)
    let writer = dice.pick(Author.writers)
    func note(by author: Author, earlier: Duration = .zero) -> SandboxPost {
      timeline.factory.note(by: author, at: moment(1, after: index) - earlier, &dice)
    }
    switch kind {
    case 0..<25: return [event(.mention, 1, after: index, by: stranger, mention(by: stranger, index, own, &dice))]
    case 25..<35:
      let post = timeline.factory.post(index)
      return post.isRepost
        ? [event(.follow, 1, after: index, by: stranger)] : [event(.status, 1, after: index, by: post.author, post)]
    case 35..<60:
      return several(.favourite, 1 + dice.roll(4), after: index, own, first: dice.roll(Author.writers.count))
    case 60..<72: return several(.reblog, 1 + dice.roll(2), after: index, own, first: dice.roll(Author.writers.count))
    case 72..<80: return [event(.follow, 1, after: index, by: stranger)]
    case 80..<84: return [event(.followRequest, 1, after: index, by: stranger)]
    case 84..<88:
      var post = note(by: writer, earlier: .seconds(86_400))
      post.poll = SandboxPost.Poll(end: moment(1, after: index), votes: [3 + dice.roll(20), dice.roll(9)])
      return [event(.poll, 1, after: index, by: writer, post)]
    case 88..<92:
      var post = note(by: writer, earlier: .seconds(7_200))
      post.editedAt = moment(1, after: index)
      return [event(.update, 1, after: index, by: writer, post)]
    case 92..<96:
      var post = mention(by: stranger, index, nil, &dice)
      let short = "https://t.co/\(dice.letters(10))"
      post.pieces += [.plain(" "), .link(short: short, expanded: own.webAddress)]
      post.companion = .quoted(own, short: short)
      return [event(.quote, 1, after: index, by: stranger, post)]
    case 96..<98: return [event(.severedRelationships, 1, after: index, by: .mira)]
    default: return [event(.wave, 1, after: index, by: stranger)]
    }
  }

  /// Returns events that several accounts cause with the same post.
  private func several(
    _ kind: SandboxEvent.Kind, _ count: Int, after index: Int, _ post: SandboxPost, first: Int
  ) -> [SandboxEvent] {
    (0..<count).map { number in
      let actor = Author.writers[(first + number) % Author.writers.count]
      return event(kind, 1 + number, after: index, by: actor, post)
    }
  }

  /// Returns a post outside the home timeline that mentions the user.
  /// - Parameter target: the user's post that it replies to, if any.
  private func mention(
    by author: Author, _ index: Int, _ target: SandboxPost?, _ dice: inout SeededRandom
  ) -> SandboxPost {
    var post = timeline.factory.note(by: author, at: moment(1, after: index), isResponse: true, &dice)
    post.pieces = [.mention(.mira), .plain(" ")] + post.pieces
    if let target, dice.roll(2) == 0 { post.reply = (target.id, .mira) }
    return post
  }
}
