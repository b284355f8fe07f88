internal import CivilTime
internal import Commands
internal import Publish

/// One of the timelines that are followed, and what has been said of it.
struct FollowedSource {
  let source: ShownSource
  private var timeline: FollowedTimeline
  private var staleness = StalenessChange()
  private var head: TimelineHead?
  private var complaint: String?

  init(_ source: ShownSource, limit: Int) {
    self.source = source
    timeline = FollowedTimeline(limit: limit)
  }

  /// What is new since the last look.
  struct News {
    /// Oldest first.
    var posts: [ShownPost] = []
    /// For standard error.
    var notes: [String] = []
  }

  /// Reads the file. What is wrong with it is said once, until it is right again.
  /// - Parameters:
  ///   - arguments: say what is worth showing at the beginning.
  ///   - awaits: whether it is worth a word that there is no file.
  mutating func look(_ arguments: Command.Show, at now: Timestamp, awaits: Bool) -> News {
    var news = News()
    do throws(CommandFailure) {
      guard let file = try PublishedFile.read(source.path) else {
        complain(awaits ? "\(source.name): there is no \(source.path); waiting for it" : nil, in: &news)
        return news
      }
      complaint = nil
      head = file.head
      let places = timeline.newPosts(in: file.posts) { !arguments.onlyUnread || file.isUnread($0) }
      news.posts = ShownPost.posts(at: places, of: file, in: source, isOneOfMany: arguments.mergesAll)
      if let line = lineAboutAge(at: now) { news.notes.append(line) }
    } catch {
      complain(error.message, in: &news)
    }
    return news
  }

  /// That it has grown stale, or is so no more.
  mutating func lineAboutAge(at now: Timestamp) -> String? { head.flatMap { staleness.line(about: $0, at: now) } }

  /// When it will have to be asked again whether it has grown stale, unless it changes before.
  func overdueAfter(_ now: Timestamp) -> Timestamp? {
    guard let moment = head?.freshUntil, moment >= now else { return nil }
    return moment
  }

  private mutating func complain(_ words: String?, in news: inout News) {
    if let words, words != complaint { news.notes.append(words) }
    complaint = words
  }
}
