internal import Benchmarking
internal import Timeline

/// `archive [POSTS]` measures operations on an archive, and shows whether the cost of a refresh depends on the size of
/// the archive. POSTS is the size of the large archive, 100000 by default.
enum ArchiveEntry {
  private static let small = 1000

  static func run(_ arguments: inout BenchArguments) throws {
    let large = arguments.isAtEnd ? 100_000 : try arguments.nextCount("POSTS")
    try arguments.end()
    guard large >= 2 * small else { throw BenchFailure.usage("POSTS must be at least \(2 * small)") }
    let posts = SyntheticPosts()
    // Both archives have the same newest posts, so that they publish the same content.
    let archives = [try MeasuredArchive(of: posts, below: large), try MeasuredArchive(of: posts, below: large)]
    try fill(archives, [small, large])
    // The first page starts the timeline, so its cost is not comparable with the cost of later pages.
    for archive in archives { _ = try archive.refresh(publishing: []) }
    for (name, formats) in [("only JSON", []), ("every format", PublishedFormat.allCases)] {
      try RefreshRound(archives, [small, large]).run(publishing: formats, called: name)
    }
    try SearchRound(posts, among: large).run(on: archives[1])
    try PurgeRound(posts, among: large).run(on: archives[1])
  }

  private static func fill(_ archives: [MeasuredArchive], _ counts: [Int]) throws {
    Report.head("posts stored", "seconds", "posts per second", "bytes per post in the file")
    for (archive, count) in zip(archives, counts) {
      let elapsed = try archive.take(count)
      try archive.reopen()
      Report.row(
        String(count), Report.number(elapsed.wall / 1000), Report.number(Double(count) * 1000 / elapsed.wall, 0),
        String(try archive.fileSize / count))
    }
  }
}
