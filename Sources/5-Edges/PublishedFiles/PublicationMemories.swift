internal import Storage
internal import Timeline

/// The publication memories of all timelines of an account. Belongs to the database's queue.
final class PublicationMemories: PostObserver {
  private let home = PublicationMemory()
  private var others: [TimelineName: PublicationMemory] = [:]
  /// Whether too many posts have changed to list them, so that this also holds for timelines without a memory yet.
  private var hasLostAll = false

  /// Returns the publication memories of a database, creating them on the first call.
  static func of(_ database: any PostStorage) -> PublicationMemories {
    if let memories = database.observer as? PublicationMemories { return memories }
    let memories = PublicationMemories()
    database.observer = memories
    return memories
  }

  /// Returns the memory of a timeline, creating it on the first call.
  subscript(timeline: TimelineName) -> PublicationMemory {
    if timeline == .home { return home }
    if let memory = others[timeline] { return memory }
    let memory = PublicationMemory()
    memory.hasChangedPosts = hasLostAll
    others[timeline] = memory
    return memory
  }

  func postsChanged(_ changes: PostChanges, in timeline: TimelineName) { self[timeline].postsChanged(changes) }

  func allPostsChanged() {
    hasLostAll = true
    home.allPostsChanged()
    for memory in others.values { memory.allPostsChanged() }
  }
}
