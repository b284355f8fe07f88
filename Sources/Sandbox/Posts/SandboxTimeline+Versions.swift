internal import CivilTime

extension SandboxTimeline {
  /// How far back the API v2 reaches, in posts. Its other bound, seven days, lies further back here.
  private static let reachOfVersions = 3_200

  /// The posts between two ids, both exclusive, newest id first, at most so many; and whether there are more.
  func versions(
    since: UInt64?, until: UInt64?, count: Int, at time: Timestamp, edits: V2Faults.Edits?
  ) -> (versions: [PostVersion], hasMore: Bool) {
    guard let newest = calendar.newestIndex(at: time), until != 0 else { return ([], false) }
    var first = newest
    if let until {
      guard let limit = calendar.newestIndex(withIDAtMost: until - 1) else { return ([], false) }
      first = min(first, limit)
    }
    // A later version has a larger id than its place, so posts from a little below count too.
    let slack = edits.map { Int($0.after / .milliseconds(PostCalendar.slot)) + 2 } ?? 0
    var last = max(0, newest - Self.reachOfVersions + 1)
    if let since, let known = calendar.newestIndex(withIDAtMost: since) { last = max(last, known + 1 - slack) }
    guard first >= last else { return ([], false) }
    var found: [(id: UInt64, index: Int)] = []
    for index in (last...first).reversed() {
      let id = id(of: index, at: time, edits)
      if id > since ?? 0, id < until ?? .max { found.append((id, index)) }
      if found.count > count + slack { break }
    }
    found.sort { $0.id > $1.id }
    let versions = found.prefix(count).map { PostVersion(id: $0.id, post: factory.post($0.index)) }
    return (Array(versions), found.count > count)
  }

  /// The first version of the post with this id, if it belongs to the timeline.
  func post(withID id: UInt64) -> SandboxPost? {
    guard let index = calendar.newestIndex(withIDAtMost: id), calendar.id(of: index) == id else { return nil }
    return factory.post(index)
  }

  /// The id under which the post stands in the timeline at a moment. Reposts have no text of their own to edit.
  private func id(of index: Int, at time: Timestamp, _ edits: V2Faults.Edits?) -> UInt64 {
    let id = calendar.id(of: index)
    guard let edits, index % edits.every == 0 else { return id }
    let moment = calendar.moment(of: index) + edits.after
    guard moment <= time else { return id }
    if case .reposted = factory.post(index).companion { return id }
    return PostCalendar.id(at: moment, Int(id & 0x3f_ffff))
  }
}
