internal import Benchmarking
internal import Timeline

/// Refreshes a small and a large archive alternately, so that other load on the machine affects both.
struct RefreshRound {
  private static let refreshes = 100

  private let archives: [MeasuredArchive]
  private let counts: [Int]

  /// - Parameters:
  ///   - archives: the small and the large archive.
  ///   - counts: the number of posts in each archive.
  init(_ archives: [MeasuredArchive], _ counts: [Int]) {
    precondition(archives.count == 2 && counts.count == 2, "two archives are compared")
    (self.archives, self.counts) = (archives, counts)
  }

  func run(publishing formats: [PublishedFormat], called name: String) throws {
    var taken: [[MeasuredArchive.Refresh]] = [[], []]
    for round in 0..<Self.refreshes {
      for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        taken[index].append(try archives[index].refresh(publishing: formats))
      }
    }
    Report.head("refresh, \(name) published", "\(counts[0]) posts", "\(counts[1]) posts", "ratio")
    compare("whole refresh, ms: median", taken, \.median) { $0.whole.wall }
    compare("whole refresh, ms: p90", taken, \.p90) { $0.whole.wall }
    compare("whole refresh, processor ms: median", taken, \.median) { $0.whole.processor }
    compare("whole refresh, processor ms: p90", taken, \.p90) { $0.whole.processor }
    compare("storing the page, ms: median", taken, \.median) { $0.insert.wall }
    compare("storing the page, ms: p90", taken, \.p90) { $0.insert.wall }
    compare("storing the page, processor ms: median", taken, \.median) { $0.insert.processor }
    compare("storing the page, kB written: median", taken, \.median) { $0.insert.written }
    compare("storing the page, kB written: p90", taken, \.p90) { $0.insert.written }
  }

  private func compare(
    _ name: String, _ taken: [[MeasuredArchive.Refresh]], _ figure: (Samples) -> Double,
    _ value: (MeasuredArchive.Refresh) -> Double
  ) {
    let figures = taken.map { figure(Samples($0.map(value))) }
    Report.row(
      name, Report.number(figures[0], 2), Report.number(figures[1], 2), Report.number(figures[1] / figures[0], 2))
  }
}
