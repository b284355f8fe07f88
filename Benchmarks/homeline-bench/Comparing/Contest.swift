internal import Benchmarking

/// Runs several operations alternately, so that a slow moment of the machine affects all of them. Only the fastest
/// round of each operation counts.
struct Contest {
  private static let rounds = 9

  private var jobs: [(name: String, count: Int, body: () throws -> Void)] = []

  /// - Parameter count: the number of times that an operation runs in each round.
  mutating func add(_ name: String, _ count: Int, _ body: @escaping () throws -> Void) {
    jobs.append((name, count, body))
  }

  /// - Returns: the processor time for one execution of each operation in microseconds.
  func run() throws -> [(name: String, time: Double)] {
    var best = jobs.map { _ in Double.infinity }
    for round in 0...Self.rounds {
      for (index, job) in jobs.enumerated() {
        let watch = Stopwatch()
        for _ in 0..<job.count { try job.body() }
        // The first round only fills the caches.
        if round > 0 { best[index] = min(best[index], watch.processorTime / Double(job.count)) }
      }
    }
    return zip(jobs, best).map { ($0.name, $1) }
  }
}
