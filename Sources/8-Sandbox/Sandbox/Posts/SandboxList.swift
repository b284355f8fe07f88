/// A list of authors, which has a timeline of its own.
struct SandboxList: Sendable {
  /// The replies in the list's timeline.
  enum Replies: String, Sendable {
    /// Those to anybody the user follows.
    case followed
    /// Those to members of the list.
    case list
    case none
  }

  /// Identifies the list, from 1.
  let number: UInt64
  var title: String
  let replies: Replies
  let members: [Author]
  /// Whether the members' posts are only in the list, and not in the home timeline.
  var isExclusive = false

  /// The user's lists. Two have the same title.
  static let all = [
    SandboxList(number: 1, title: "Friends", replies: .list, members: members("kai_demo", "ana_forno", "haru_neko")),
    SandboxList(
      number: 2, title: "Freunde & Co", replies: .followed, members: members("weather_mole", "tamar_sky", "lin_tea")),
    SandboxList(number: 3, title: "Reading", replies: .none, members: members("noor_reads", "small_compiler")),
    SandboxList(number: 4, title: "Reading", replies: .list, members: members("hill_observatory", "oleg_etude")),
    SandboxList(number: 5, title: "Night shift", replies: .list, members: Author.exclusive, isExclusive: true),
  ]

  private static func members(_ names: String...) -> [Author] { names.compactMap { Author.named($0) } }

  /// Returns the lists that the user has now.
  static func visible(_ state: TimelineQuirks.Lists) -> [SandboxList] {
    switch state {
    case .own: all
    case .deleted: []
    case .renamed:
      all.map { list in
        var list = list
        list.title = "New " + list.title
        return list
      }
    }
  }

  /// The number in the list's id, where ids are numbers.
  var id: UInt64 { 4_200 + number }

  /// Returns whether the list's timeline contains a member's post.
  func shows(_ post: SandboxPost) -> Bool {
    guard let reply = post.reply else { return true }
    return switch replies {
    case .followed: true
    case .list: contains(reply.to)
    case .none: false
    }
  }

  func contains(_ author: Author) -> Bool { members.contains { $0.id == author.id } }
}
