import Dispatch
import Platform
import TestSupport
import Testing

@testable import Accounts
@testable import Service

/// Eight accounts that run 10,000 jobs of every class, which end in different ways and take different amounts of time.
@Suite struct AccountQueueSoakTests {
  private enum Ending: CaseIterable { case well, thrown, timedOut, cancelledWaiting, cancelledRunning, letGo, late }

  private struct Made: Error {}

  /// The events of one account queue. Use only on that queue.
  private final class Log: @unchecked Sendable {
    let accountQueue: AccountQueue
    var asked: [JobClass: [Int]] = [:]
    var begun: [JobClass: [Int]] = [:]
    var over: Set<Int> = []
    var dropped: Set<Int> = []
    var waiting: [JobClass: Int] = [:]
    var running = 0
    var overlaps = 0
    var overtaken = 0
    var staleAccepted = 0

    /// The group that each job leaves once, when it ends.
    let ended = DispatchGroup()

    init(_ number: Int) {
      accountQueue = AccountQueue(label: "soak \(number)")
      for _ in 0..<1250 { ended.enter() }
    }
  }

  @Test(
    "in every account queue, jobs run or are cancelled in the order of their classes, and never overlap")
  func soak() async {
    let logs = (0..<8).map { Log($0) }
    let work = DispatchQueue(label: "elsewhere", attributes: .concurrent)
    for (number, log) in logs.enumerated() {
      var generator = SeededGenerator(seed: UInt64(number) + 1)
      let jobs = (0..<1250).map { job in
        (
          job, JobClass.allCases.randomElement(using: &generator)!, Ending.allCases.randomElement(using: &generator)!,
          UInt64.random(in: 0..<20, using: &generator)
        )
      }
      // Jobs are added in bursts, so that some queues are long and others are empty.
      let bursts = stride(from: 0, to: jobs.count, by: 50).map { Array(jobs[$0..<min($0 + 50, jobs.count)]) }
      for burst in bursts {
        log.accountQueue.queue.async { for job in burst { Self.ask(job, of: log, elsewhere: work) } }
      }
    }
    for log in logs {
      await withCheckedContinuation { done in log.ended.notify(queue: log.accountQueue.queue) { done.resume() } }
      #expect(log.over.count + log.dropped.count == 1250)
      #expect(log.over.isDisjoint(with: log.dropped))
      #expect(!log.dropped.isEmpty)
      #expect(log.overlaps == 0)
      #expect(log.overtaken == 0)
      #expect(log.staleAccepted == 0)
      for jobClass in JobClass.allCases {
        let expected = (log.asked[jobClass] ?? []).filter { !log.dropped.contains($0) }
        #expect(log.begun[jobClass] == expected)
      }
    }
  }

  private static func ask(
    _ job: (number: Int, jobClass: JobClass, ending: Ending, length: UInt64), of log: Log, elsewhere: DispatchQueue
  ) {
    let accountQueue = log.accountQueue
    log.asked[job.jobClass, default: []].append(job.number)
    log.waiting[job.jobClass, default: 0] += 1
    var ticket: AccountQueue.Ticket?
    ticket = accountQueue.enqueue(job.jobClass) {
      log.waiting[job.jobClass]! -= 1
      log.dropped.insert(job.number)
      log.ended.leave()
    } _: { context in
      log.waiting[job.jobClass]! -= 1
      if JobClass.allCases.contains(where: { $0 < job.jobClass && log.waiting[$0] ?? 0 > 0 }) { log.overtaken += 1 }
      log.begun[job.jobClass, default: []].append(job.number)
      log.running += 1
      if log.running > 1 { log.overlaps += 1 }
      run(job.ending, length: job.length, context, ticket, of: log, elsewhere) {
        log.running -= 1
        log.over.insert(job.number)
        log.ended.leave()
      }
    }
    if job.ending == .cancelledWaiting, let ticket {
      accountQueue.queue.async { [box = QueueConfined(ticket)] in accountQueue.cancel(box.value) }
    }
  }

  private static func run(
    _ ending: Ending, length: UInt64, _ context: JobContext, _ ticket: AccountQueue.Ticket?, of log: Log,
    _ elsewhere: DispatchQueue,
    _ over: @escaping () -> Void
  ) {
    let accountQueue = log.accountQueue
    let things = QueueConfined((context: context, over: over))
    switch ending {
    case .well, .cancelledWaiting:
      // The job sends several requests one after another, as a refresh does.
      accountQueue.queue.later {
        accountQueue.queue.later {
          over(); context.end()
        }
      }
    case .thrown:
      do { throw Made() } catch {
        over()
        context.end()
      }
    case .timedOut:
      elsewhere.async {
        spin(length)
        accountQueue.queue.async {
          things.value.over()
          things.value.context.end()
        }
      }
    case .cancelledRunning:
      context.onCancel {
        if accountQueue.isCurrent(context) { log.staleAccepted += 1 }
        over()
        context.end()
      }
      accountQueue.queue.later { if let ticket { accountQueue.cancel(ticket) } }
    case .letGo: over()
    case .late:
      // The response arrives after the generation has changed.
      accountQueue.advance()
      elsewhere.async {
        accountQueue.queue.async {
          if accountQueue.isCurrent(things.value.context) { log.staleAccepted += 1 }
          things.value.over()
          things.value.context.end()
        }
      }
    }
  }

  /// Keeps the thread busy without yielding.
  private static func spin(_ length: UInt64) {
    var generator = SeededGenerator(seed: length)
    for _ in 0..<(length * 50) { _ = generator.next() }
  }
}
