import Time
import Timeline

@testable import Formats

/// Posts that are in a timeline because of an event.
enum NoticeSamples {
  static let names = ["Ada", "Ben", "Cleo", "Dan"]

  static func user(_ name: String) -> User { User(id: name, screenName: name.lowercased(), name: name) }

  /// Returns an event.
  /// - Parameter age: the number of seconds before `Samples.time`.
  static func notice(
    _ kind: String, id: String = "n1", by names: [String] = ["Ada"], group: String? = nil, age: Int = 0,
    text: String? = nil
  ) -> Notice {
    Notice(
      id: PostID(id), kind: kind, actors: names.map(user), group: group, at: Samples.time - .seconds(age), text: text)
  }

  /// Returns the event with a post, or without one.
  static func post(_ notice: Notice, of post: String? = "7") -> Post {
    guard let post else { return Post(event: notice) }
    var liked = Post(
      id: PostID(post), createdAt: Samples.time - .seconds(172_800), author: Samples.mira, text: "text of \(post)")
    liked.notice = notice
    return liked
  }
}
