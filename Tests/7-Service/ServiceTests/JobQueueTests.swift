import TestSupport
import Testing

@testable import Accounts
@testable import Service

@Suite struct JobQueueTests {
  @Test("jobs run by class, and within a class in the order they were enqueued")
  func order() {
    var queue = JobQueue<String>()
    for (name, jobClass) in [
      ("fill 1", JobClass.filling), ("due 1", .schedule), ("media", .media), ("user 1", .userRefresh),
      ("login", .login), ("user 2", .userRefresh), ("due 2", .schedule), ("fill 2", .filling),
    ] { _ = queue.append(name, as: jobClass) }
    var order: [String] = []
    while let (ticket, name) = queue.next() {
      order.append(name)
      queue.end(ticket)
    }
    #expect(order == ["login", "user 1", "user 2", "due 1", "due 2", "fill 1", "fill 2", "media"])
    #expect(queue.isEmpty)
  }

  @Test("the job queue releases finished jobs")
  func released() {
    final class Thing {}
    var queue = JobQueue<Thing>()
    weak var thing: Thing?
    do {
      let made = Thing()
      thing = made
      _ = queue.append(made, as: .login)
    }
    if let ticket = queue.next()?.ticket { queue.end(ticket) }
    #expect(thing == nil)
  }

  @Test("a queue runs only one job at a time, until that job ends itself")
  func oneAtATime() throws {
    var queue = JobQueue<String>()
    _ = queue.append("first", as: .schedule)
    let second = queue.append("second", as: .login)
    let first = queue.next()
    let (running, name) = try #require(first)
    #expect(name == "second")
    var none = queue.next()
    #expect(none?.job == nil)
    let third = queue.append("third", as: .login)
    queue.end(third)
    none = queue.next()
    #expect(none?.job == nil)
    queue.end(running)
    #expect(running == second)
    let last = queue.next()?.job
    #expect(last == "third")
  }

  @Test("a waiting job can be removed from the queue, but a running or finished one cannot")
  func removing() throws {
    var queue = JobQueue<Int>()
    let tickets = (0..<4).map { queue.append($0, as: .filling) }
    let first = queue.next()
    let (running, _) = try #require(first)
    #expect(queue.remove(running) == nil)
    #expect(queue.remove(tickets[2]) == 2)
    #expect(queue.remove(tickets[2]) == nil)
    queue.end(running)
    let next = queue.next()?.job
    #expect(next == 1)
    queue.end(tickets[1])
    #expect(queue.removeAll() == [3])
    #expect(queue.isEmpty)
  }

  @Test("any sequence of enqueuing, ending and removing jobs keeps the order", arguments: 1...20)
  func mixed(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = JobQueue<Int>()
    var model: [(number: Int, jobClass: JobClass)] = []
    var tickets: [Int: JobQueue<Int>.Ticket] = [:]
    var running: Int?
    for number in 0..<500 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let jobClass = JobClass.allCases.randomElement(using: &generator)!
        tickets[number] = queue.append(number, as: jobClass)
        model.append((number, jobClass))
      case 2:
        if let done = running.take() { queue.end(tickets[done]!) }
        let expected = model.min { ($0.jobClass, $0.number) < ($1.jobClass, $1.number) }?.number
        running = queue.next()?.job
        #expect(running == expected)
        model.removeAll { $0.number == expected }
      default:
        guard let victim = model.randomElement(using: &generator)?.number else { continue }
        #expect(queue.remove(tickets[victim]!) == victim)
        model.removeAll { $0.number == victim }
      }
    }
  }
}
