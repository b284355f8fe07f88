internal import Benchmarking
internal import Platform

/// `warm DIR INCOMING N` refreshes the account in DIR N times in one process, as the service does. It prints the cost
/// of one refresh, not counting the first refresh. `{k}` in INCOMING is replaced by 0, 1 and so on. Without `{k}`,
/// every response is the same and contains no new posts.
enum WarmEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let account = try MeasuredAccount(below: try arguments.next("DIR"), published: MeasuredAccount.comparable)
    let incoming = try arguments.next("INCOMING")
    let count = try arguments.nextCount("N")
    try arguments.end()
    var new = 0
    var sum = MeasuredAccount.Times()
    var wall = 0.0
    for round in 0..<count {
      let body = try File.read(path(incoming, round), limit: 16 << 20)
      let watch = Stopwatch()
      _ = try account.since()
      let (came, times) = try account.refresh(with: body)
      guard round > 0 || count == 1 else { continue }
      new += came
      sum = sum + times
      wall += watch.wallTime
    }
    account.close()
    let counted = Double(max(count - 1, 1))
    var figures = Figures()
    figures.add("new", new)
    figures.add("cpu_us", sum.all / counted)
    figures.add("wall_us", wall / counted)
    figures.add("parse_us", sum.parsing / counted)
    figures.add("store_us", sum.storing / counted)
    figures.add("publish_us", sum.publishing / counted)
    figures.print()
  }

  private static func path(_ pattern: String, _ round: Int) -> String {
    guard let place = pattern.firstRange(of: "{k}") else { return pattern }
    return pattern.replacingCharacters(place, by: String(round))
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<String.Index>, by text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
