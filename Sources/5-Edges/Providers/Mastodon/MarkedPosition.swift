internal import Time
internal import Timeline

/// A position in a walk through the posts that the user has marked, from the last mark downwards.
struct MarkedPosition {
  /// When the walk began, in milliseconds since 1970. Marks that are found by a later walk are above all marks of this one.
  private let begunAt: Int64
  /// The number of posts above the position.
  var number = 0
  /// What the server calls the position; `nil` at the beginning and at the end.
  var link: String?

  init(begunAt time: Timestamp) { begunAt = time.milliseconds }

  /// Reads a cursor that `cursor` has written; `nil` for any other.
  init?(_ cursor: PageCursor) {
    let parts = cursor.text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == Self.sign, let begunAt = Int64(parts[1]), let number = Int(parts[2]),
      (0..<Self.most).contains(number)
    else { return nil }
    self.begunAt = Timestamp(milliseconds: begunAt).milliseconds
    self.number = number
    link = String(parts[3])
  }

  /// The cursor with which the walk continues; `nil` at its end.
  var cursor: PageCursor? {
    link.flatMap { number < Self.most ? PageCursor("\(Self.sign) \(begunAt) \(number) \($0)") : nil }
  }

  /// The key of the next post of the walk.
  func key(of id: PostID) -> PostKey {
    let (millisecond, rank) = number.quotientAndRemainder(dividingBy: Self.ranks)
    let time = Timestamp(milliseconds: begunAt - Int64(millisecond))
    return TimedPosition(time, id: id.text, rank: Self.ranks - 1 - rank).key
  }

  private static let sign = "mark"
  /// The number of ranks of a `TimedPosition`.
  private static let ranks = 10_000
  /// The maximum length of a walk.
  private static let most = 1_000_000
}
