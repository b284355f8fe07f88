internal import Commands
internal import Formats
internal import Time

/// A followed timeline, with the posts and notes printed so far.
struct FollowedSource {
  let source: ShownSource
  /// Whether posts of other accounts are shown too.
  private let isOneOfMany: Bool
  private var timeline: FollowedTimeline
  private var staleness = StalenessChange()
  private var head: TimelineHead?
  private var complaint: String?

  init(_ source: ShownSource, isOneOfMany: Bool, limit: Int) {
    self.source = source
    self.isOneOfMany = isOneOfMany
    timeline = FollowedTimeline(limit: limit)
  }

  /// The changes since the last reading.
  struct Update {
    /// The new posts, oldest first.
    var posts: [ShownPost] = []
    /// The lines for standard error.
    var notes: [String] = []
  }

  /// Reads the file. A problem is reported only once until it is solved.
  /// - Parameters:
  ///   - arguments: The command's arguments, which select the posts.
  ///   - reportsMissing: Whether to report a missing file.
  mutating func look(_ arguments: Command.Show, at now: Timestamp, reportsMissing: Bool) -> Update {
    var update = Update()
    do throws(CommandError) {
      guard let file = try PublishedFile.read(source.path) else {
        complain(
          reportsMissing ? "\(source.name): \(source.path) does not exist yet; waiting for it" : nil, in: &update)
        return update
      }
      complaint = nil
      head = file.head
      let indices = timeline.newPosts(in: file.posts) { !arguments.onlyUnread || file.isUnread($0) }
      update.posts = ShownPost.posts(at: indices, of: file, in: source, isOneOfMany: isOneOfMany)
      if let line = lineAboutAge(at: now) { update.notes.append(line) }
    } catch {
      complain(error.message, in: &update)
    }
    return update
  }

  /// Returns a line for the user if the timeline has become stale, or fresh again.
  mutating func lineAboutAge(at now: Timestamp) -> String? { head.flatMap { staleness.line(about: $0, at: now) } }

  /// Returns when the timeline becomes stale, unless it changes before.
  func overdueAfter(_ now: Timestamp) -> Timestamp? {
    guard let moment = head?.freshUntil, moment >= now else { return nil }
    return moment
  }

  private mutating func complain(_ message: String?, in update: inout Update) {
    if let message, message != complaint { update.notes.append(message) }
    complaint = message
  }
}
