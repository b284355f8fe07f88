internal import Time

/// What the user did in the month before the timeline began.
struct SandboxHistory: Sendable {
  /// A post that the user has bookmarked or liked.
  struct Mark: Sendable {
    /// A number that ascends with the time of marking, and has gaps, because other users mark posts too.
    let serial: UInt64
    let markedAt: Timestamp
    let post: SandboxPost
  }

  private static let month = 30 * 86_400

  /// The user's posts, oldest first.
  let ownPosts: [SandboxPost]
  /// The marked posts, in the order of marking. Their own order in time is a different one.
  let bookmarks: [Mark]
  let favourites: [Mark]

  init(_ timeline: SandboxTimeline) {
    let start = timeline.calendar.start
    var dice = SeededRandom(timeline.seed &+ 6, 0)
    ownPosts = (1...12).reversed().map { day in
      timeline.factory.note(by: .mira, at: start - .seconds(day * 86_400 - dice.roll(40_000)), &dice)
    }
    func marks(_ count: Int) -> [Mark] {
      var serial: UInt64 = 0
      return (1...count).reversed().map { hour in
        serial += 1 + UInt64(dice.roll(9))
        let markedAt = start - .seconds(hour * 3600 - dice.roll(3000))
        let author = dice.pick(Author.writers + Author.strangers)
        return Mark(
          serial: serial, markedAt: markedAt,
          post: timeline.factory.note(by: author, at: markedAt - .seconds(dice.roll(Self.month)), &dice))
      }
    }
    bookmarks = marks(60)
    favourites = marks(50)
  }
}
