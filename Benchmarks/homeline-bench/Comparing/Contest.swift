internal import Benchmarking

/// Jobs that are done in turns, so that a slow moment of the machine falls on all of them; the least disturbed round of each counts.
struct Contest {
  private static let rounds = 9

  private var jobs: [(name: String, count: Int, body: () throws -> Void)] = []

  /// - Parameter count: how often the job is done in a round.
  mutating func add(_ name: String, _ count: Int, _ body: @escaping () throws -> Void) {
    jobs.append((name, count, body))
  }

  /// - Returns: of each job, the processor's time for doing it once, in microseconds.
  func run() throws -> [(name: String, time: Double)] {
    var best = jobs.map { _ in Double.infinity }
    for round in 0...Self.rounds {
      for (index, job) in jobs.enumerated() {
        let watch = Stopwatch()
        for _ in 0..<job.count { try job.body() }
        // The first round warms caches.
        if round > 0 { best[index] = min(best[index], watch.processorTime / Double(job.count)) }
      }
    }
    return zip(jobs, best).map { ($0.name, $1) }
  }
}
