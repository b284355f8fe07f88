internal import CivilTime

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

  /// The posts of a page, newest first. `since_id` selects the newest posts above an id, `min_id` those directly above it.
  func page(_ query: Query, at time: Timestamp, without omitted: Set<String>) -> [SandboxPost] {
    let all = reachable(at: time).filter { omitted.isEmpty || !omitted.contains(name($0)) }
    let posts = ids.flavour == .snac ? byEqualID(all, query) : byIDOrder(all, query)
    return posts.map { timeline.factory.post($0) }
  }

  /// A post by its id, deleted or not.
  func post(_ id: String, at time: Timestamp) -> SandboxPost? {
    reachable(at: time).first { name($0) == id }.map { timeline.factory.post($0) }
  }

  /// The indices of all posts of the timeline, newest first.
  private func reachable(at time: Timestamp) -> [Int] {
    guard let newest = timeline.calendar.newestIndex(at: time) else { return [] }
    return (max(0, newest - Self.reach + 1)...newest).reversed()
  }

  private func byIDOrder(_ all: [Int], _ query: Query) -> ArraySlice<Int> {
    let below = query.maxID.flatMap(ids.number)
    let above = (query.minID ?? query.sinceID).flatMap(ids.number)
    let asked = all.filter { index in
      let id = timeline.calendar.id(of: index)
      return below.map { id < $0 } ?? true && above.map { id > $0 } ?? true
    }
    return query.minID == nil ? asked.prefix(query.limit) : asked.suffix(query.limit)
  }

  /// Like snac: searches for an id from the newest post down. An unknown `max_id` returns nothing, an unknown `since_id` everything.
  private func byEqualID(_ all: [Int], _ query: Query) -> ArraySlice<Int> {
    var rest = all[...]
    if let maxID = query.maxID { rest = rest.drop { name($0) != maxID }.dropFirst() }
    if let sinceID = query.sinceID { rest = rest.prefix { name($0) != sinceID } }
    return rest.prefix(query.limit)
  }

  private func name(_ index: Int) -> String { ids.text(timeline.calendar.id(of: index)) }
}
