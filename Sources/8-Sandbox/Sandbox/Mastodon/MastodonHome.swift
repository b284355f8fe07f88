internal import Time

/// Selects the posts on a page of the home timeline.
struct MastodonHome: Sendable {
  struct Query: Sendable {
    var limit = 20
    var maxID: String?
    var minID: String?
    var sinceID: String?
  }

  /// The number of posts in a home timeline.
  static let reach = 400

  private let timeline: SandboxTimeline
  private let ids: MastodonIDWriter

  init(timeline: SandboxTimeline, flavour: MastodonFlavour) {
    self.timeline = timeline
    ids = MastodonIDWriter(flavour: flavour)
  }

  /// A post on the timeline, either computed from its index or published by a user.
  private enum Item {
    case index(Int, id: UInt64)
    case published(SandboxPost)

    var id: UInt64 {
      switch self {
      case .index(_, let id): id
      case .published(let post): post.id
      }
    }
  }

  /// Returns the posts of a page, newest first. `since_id` selects the newest posts above an id, and `min_id` the posts directly above it.
  /// - Parameter published: the posts that users have published, oldest first.
  func page(
    _ query: Query, at time: Timestamp, with published: [SandboxPost], without omitted: Set<String>
  ) -> [SandboxPost] {
    let all = merged(published, at: time).filter { omitted.isEmpty || !omitted.contains(name($0)) }
    let posts = ids.flavour == .snac ? byEqualID(all, query) : byIDOrder(all, query)
    return posts.map { item in
      switch item {
      case .index(let index, _): timeline.factory.post(index)
      case .published(let post): post
      }
    }
  }

  /// Returns a post by its id, even if it is deleted: a post in the timeline, or one that is reposted or quoted there.
  func post(_ id: String, at time: Timestamp) -> SandboxPost? {
    let indices = reachable(at: time)
    if let index = indices.first(where: { ids.text(timeline.calendar.id(of: $0)) == id }) {
      return timeline.factory.post(index)
    }
    for index in indices {
      switch timeline.factory.post(index).companion {
      case .reposted(let other) where ids.text(other.id) == id: return other
      case .quoted(let other, _) where ids.text(other.id) == id: return other
      default: continue
      }
    }
    return nil
  }

  /// Returns the number and the author of a post that a user replies to; `nil` if there is no such post.
  func author(of id: String, at time: Timestamp) -> (number: UInt64, author: Author)? {
    post(id, at: time).map { ($0.id, $0.author) }
  }

  /// Returns the indices of all posts on the timeline, newest first.
  private func reachable(at time: Timestamp) -> [Int] {
    guard let newest = timeline.calendar.newestIndex(at: time) else { return [] }
    return (max(0, newest - Self.reach + 1)...newest).reversed()
  }

  private func merged(_ published: [SandboxPost], at time: Timestamp) -> [Item] {
    let all = reachable(at: time).map { Item.index($0, id: timeline.calendar.id(of: $0)) }
    guard !published.isEmpty else { return all }
    return (all + published.map { .published($0) }).sorted { $0.id > $1.id }
  }

  private func byIDOrder(_ all: [Item], _ query: Query) -> ArraySlice<Item> {
    let below = query.maxID.flatMap(ids.number)
    let above = (query.minID ?? query.sinceID).flatMap(ids.number)
    let asked = all.filter { item in
      let id = item.id
      return below.map { id < $0 } ?? true && above.map { id > $0 } ?? true
    }
    return query.minID == nil ? asked.prefix(query.limit) : asked.suffix(query.limit)
  }

  /// Searches for an id from the newest post down, as snac does. An unknown `max_id` selects no posts, and an unknown `since_id` all posts.
  private func byEqualID(_ all: [Item], _ query: Query) -> ArraySlice<Item> {
    var rest = all[...]
    if let maxID = query.maxID { rest = rest.drop { name($0) != maxID }.dropFirst() }
    if let sinceID = query.sinceID { rest = rest.prefix { name($0) != sinceID } }
    return rest.prefix(query.limit)
  }

  private func name(_ item: Item) -> String { ids.text(item.id) }
}
