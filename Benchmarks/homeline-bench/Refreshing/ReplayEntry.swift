internal import Benchmarking
internal import TestSupport
internal import Time
internal import Timeline

/// `replay DIR FORMATS KIND N` refreshes the account in DIR N times as a running service does, and prints what this wrote. FORMATS is `json`
/// for `home_timeline.json` alone, or `all`. KIND is `quiet` for refreshes without new posts, `post` for one new post each, or `day` for
/// random numbers of new posts: 298 in 960 refreshes, as counted in a day of an account.
enum ReplayEntry {
  /// The number of the account's newest post: `bench-check` imports 1,000 posts and refreshes with 20 more.
  private static let known = 1019
  private static let postsOfDay = 298
  private static let refreshesOfDay = 960

  static func run(_ arguments: inout BenchArguments) throws {
    let home = try arguments.next("DIR")
    let formats = try arguments.next("FORMATS")
    let kind = try arguments.next("KIND")
    let count = try arguments.nextCount("N")
    try arguments.end()
    guard ["json", "all"].contains(formats) else { throw BenchFailure.usage("FORMATS is json or all") }
    guard let numbers = numbers(of: kind, count) else { throw BenchFailure.usage("KIND is quiet, post or day") }
    let account = try ServedAccount(below: home, formats: formats == "all" ? PublishedFormat.allCases : [])
    let status = MadeUpStatus(SyntheticWords())
    var newest = known
    var now = MadeUpPost(newest, SyntheticWords()).createdAt
    var body = response(newest..<newest + 1, status)
    // The first refresh publishes the account's files, so it is not counted.
    _ = try account.refresh(with: body, at: now)
    let before = try WrittenBytes.sinceStart()
    let watch = Stopwatch()
    var new = 0
    for number in numbers {
      now = now + ServedAccount.interval
      if number > 0 {
        // A refresh also requests the newest known post.
        body = response(newest..<newest + number + 1, status)
        newest += number
      }
      new += try account.refresh(with: body, at: now)
    }
    guard new == newest - known else { throw BenchFailure.wrongResult("\(new) posts are new, not \(newest - known)") }
    var figures = Figures()
    figures.add("refreshes", count)
    figures.add("new", new)
    figures.add("bytes", try WrittenBytes.sinceStart() - before)
    figures.add("cpu_us", watch.processorTime)
    figures.print()
    account.close()
  }

  /// Returns the number of new posts in each refresh.
  private static func numbers(of kind: String, _ count: Int) -> [Int]? {
    switch kind {
    case "quiet": return Array(repeating: 0, count: count)
    case "post": return Array(repeating: 1, count: count)
    case "day":
      var random = SeededGenerator(seed: 960)
      var numbers = Array(repeating: 0, count: count)
      for _ in 0..<count * postsOfDay / refreshesOfDay { numbers[Int.random(in: 0..<count, using: &random)] += 1 }
      return numbers
    default: return nil
    }
  }

  private static func response(_ posts: Range<Int>, _ status: MadeUpStatus) -> [UInt8] {
    var body: [UInt8] = []
    RawValue.array(posts.reversed().map { status.raw($0) }).write(to: &body)
    return body
  }
}
