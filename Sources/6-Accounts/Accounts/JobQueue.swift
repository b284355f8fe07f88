/// The order of one account's jobs, as a value. One job runs at a time. Jobs run by class, and within a class in the order they were
/// enqueued.
package struct JobQueue<Job> {
  /// Identifies a job in its queue.
  package struct Ticket: Hashable, Comparable {
    fileprivate let number: Int

    package static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
  }

  private typealias Entry = (ticket: Ticket, job: Job)

  /// The waiting jobs by class. Each class's jobs are a slice, because `Array.removeFirst` would copy the rest.
  private var waiting: [JobClass: ArraySlice<Entry>] = [:]
  private var lastNumber = 0
  /// The running job.
  private(set) var running: Ticket?
  private(set) var runningClass: JobClass?

  package var isEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

  /// The class of the next job.
  var nextClass: JobClass? { JobClass.allCases.first { !(waiting[$0]?.isEmpty ?? true) } }

  mutating func append(_ job: Job, as jobClass: JobClass) -> Ticket {
    lastNumber += 1
    let ticket = Ticket(number: lastNumber)
    waiting[jobClass, default: []].append((ticket, job))
    return ticket
  }

  /// Starts and returns the next job; `nil` if another job is running, or if none is waiting.
  package mutating func next() -> (ticket: Ticket, job: Job)? {
    guard running == nil, let jobClass = nextClass, let entry = waiting[jobClass]?.popFirst() else { return nil }
    // An empty slice would keep its storage alive, including the jobs taken from it.
    if waiting[jobClass]?.isEmpty ?? true { waiting[jobClass] = nil }
    running = entry.ticket
    runningClass = jobClass
    return entry
  }

  /// Ends a job if it is running.
  package mutating func end(_ ticket: Ticket) {
    guard running == ticket else { return }
    running = nil
    runningClass = nil
  }

  /// Removes a waiting job.
  mutating func remove(_ ticket: Ticket) -> Job? {
    for jobClass in JobClass.allCases {
      if let index = waiting[jobClass]?.firstIndex(where: { $0.ticket == ticket }) {
        return waiting[jobClass]?.remove(at: index).job
      }
    }
    return nil
  }

  /// Removes all waiting jobs, and returns them in the order they would have run.
  mutating func removeAll() -> [Job] {
    let all = JobClass.allCases.flatMap { waiting[$0] ?? [] }
    waiting = [:]
    return all.map(\.job)
  }
}
