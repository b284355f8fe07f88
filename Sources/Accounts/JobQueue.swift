internal import Dispatch
internal import Platform

/// The order of one lane's jobs as a value: one at a time, by class, and within a class in the order asked for.
package struct JobQueue<Job> {
  /// Names a job in its queue.
  package struct Ticket: Hashable, Comparable {
    fileprivate let number: Int

    package static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
  }

  private typealias Entry = (ticket: Ticket, job: Job)

  /// Those that wait, by class; each list is read from its head on, which `Array.removeFirst` would copy for.
  private var waiting: [JobClass: ArraySlice<Entry>] = [:]
  private var lastNumber = 0
  /// The job that has its turn now.
  private(set) var running: Ticket?
  private(set) var runningClass: JobClass?

  package var isEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

  /// The class of the job that comes next.
  var nextClass: JobClass? { JobClass.allCases.first { !(waiting[$0]?.isEmpty ?? true) } }

  mutating func append(_ job: Job, as jobClass: JobClass) -> Ticket {
    lastNumber += 1
    let ticket = Ticket(number: lastNumber)
    waiting[jobClass, default: []].append((ticket, job))
    return ticket
  }

  /// Gives the turn to the next job; `nil` while another has it, and when none waits.
  package mutating func next() -> (ticket: Ticket, job: Job)? {
    guard running == nil, let jobClass = nextClass, let entry = waiting[jobClass]?.popFirst() else { return nil }
    // The storage below a slice keeps what was taken from it: a job, and all that it holds.
    if waiting[jobClass]?.isEmpty ?? true { waiting[jobClass] = nil }
    running = entry.ticket
    runningClass = jobClass
    return entry
  }

  /// The turn of this job is over. That of another one goes on.
  package mutating func end(_ ticket: Ticket) {
    guard running == ticket else { return }
    running = nil
    runningClass = nil
  }

  /// Takes a job out that still waits.
  mutating func remove(_ ticket: Ticket) -> Job? {
    for jobClass in JobClass.allCases {
      if let index = waiting[jobClass]?.firstIndex(where: { $0.ticket == ticket }) {
        return waiting[jobClass]?.remove(at: index).job
      }
    }
    return nil
  }

  /// Takes out all that wait, in the order in which they would have run.
  mutating func removeAll() -> [Job] {
    let all = JobClass.allCases.flatMap { waiting[$0] ?? [] }
    waiting = [:]
    return all.map(\.job)
  }
}

/// What a job of an account is for. Of jobs that wait, one of an earlier class goes first; within a class the one asked for first.
package enum JobClass: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// A leg of a login, or a logout: somebody sits in front of it, and the token that it brings is what all others need.
  case login
  /// A refresh that the user asked for.
  case userRefresh
  /// A refresh that is due.
  case schedule
  /// One page of a gap, or of older posts.
  case filling
  /// Pictures and films.
  case media

  package static func < (left: JobClass, right: JobClass) -> Bool { left.rawValue < right.rawValue }
}
