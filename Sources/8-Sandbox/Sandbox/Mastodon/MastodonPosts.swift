internal import Time

/// The posts in the timelines of a Mastodon-compatible server.
struct MastodonPosts: Sendable {
  /// The number of posts in a home timeline, and of those that other timelines are selected from.
  static let reach = 400

  var network: SandboxNetwork

  init(_ timeline: SandboxTimeline) { network = SandboxNetwork(timeline) }

  /// Returns the home timeline, newest post first.
  /// - Parameter published: the posts that users have published, oldest first.
  func home(at time: Timestamp, with published: [SandboxPost]) -> [SandboxEntry] {
    let all = network.home(at: time, reach: Self.reach)
    guard !published.isEmpty else { return all }
    return (all + published.map { .post($0) }).sorted { $0.id > $1.id }
  }

  func posts(in list: SandboxList, at time: Timestamp) -> [SandboxEntry] {
    network.posts(in: list, at: time, reach: Self.reach)
  }

  /// Returns the public posts with a hashtag.
  func posts(tagged tag: String, at time: Timestamp, with published: [SandboxPost]) -> [SandboxEntry] {
    let all = network.posts(tagged: tag, at: time, reach: Self.reach)
    let own = published.filter { $0.visibility == "public" && $0.hasTag(tag.lowercased()) }
    return own.isEmpty ? all : (all + own.map { .post($0) }).sorted { $0.id > $1.id }
  }

  func posts(by author: Author, at time: Timestamp, with published: [SandboxPost]) -> [SandboxEntry] {
    let own = author.id == Author.mira.id ? published.reversed().map { SandboxEntry.post($0) } : []
    return own + network.posts(by: author, at: time, reach: Self.reach)
  }

  /// Returns a post by its id, even if it is deleted: a post in the home timeline, one that is reposted or quoted there, or any other post
  /// that the server knows.
  func post(_ id: String, at time: Timestamp, _ ids: MastodonIDWriter) -> SandboxPost? {
    let home = network.home(at: time, reach: Self.reach)
    if let entry = home.first(where: { ids.text($0.id) == id }) { return network.post(entry) }
    for entry in home {
      switch network.post(entry).companion {
      case .reposted(let other) where ids.text(other.id) == id: return other
      case .quoted(let other, _) where ids.text(other.id) == id: return other
      default: continue
      }
    }
    return network.others(at: time, reach: Self.reach).first { ids.text($0.id) == id }.map { network.post($0) }
  }

  /// Returns the number and the author of a post that a user replies to; `nil` if there is no such post.
  func author(of id: String, at time: Timestamp, _ ids: MastodonIDWriter) -> (number: UInt64, author: Author)? {
    post(id, at: time, ids).map { ($0.id, $0.author) }
  }
}
