internal import Benchmarking
internal import Storage
internal import Timeline

/// Checks the archive and purges posts, from a single post to all of them.
struct PurgeRound {
  private static let single = 5

  private let posts: SyntheticPosts
  private let count: Int

  init(_ posts: SyntheticPosts, among count: Int) {
    self.posts = posts
    self.count = count
  }

  func run(on archive: MeasuredArchive) throws {
    Report.head("archive checked", "ms", "processor ms")
    let check = try archive.check()
    Report.row("whole", Report.number(check.wall, 0), Report.number(check.processor, 0))

    Report.head("purged", "posts removed", "ms", "processor ms", "longest portion, ms")
    let single = try (1...Self.single).map { try archive.purge(.post(posts.post(count * $0 / 7).id)) }
    report("one post (median)", single.sorted { $0.whole.wall < $1.whole.wall }[Self.single / 2])
    report("an author", try archive.purge(.author(posts.post(count * 6 / 7).author.screenName)))
    report("what is older than half of them", try archive.purge(.before(posts.createdAt(count / 2))))
    report("everything that is left", try archive.purge(.everything))
  }

  private func report(_ name: String, _ taken: (purged: Purged, whole: Elapsed, longest: Elapsed)) {
    Report.row(
      name, String(taken.purged.posts), Report.number(taken.whole.wall, 0), Report.number(taken.whole.processor, 0),
      Report.number(taken.longest.wall, 0))
  }
}
