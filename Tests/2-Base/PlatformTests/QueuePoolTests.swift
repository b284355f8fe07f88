import Dispatch
import Platform
import TestSupport
import Testing

@Suite struct QueuePoolTests {
  /// Work that runs until the test ends it.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    let begun = Locked<[Int]>([])

    func pass(_ number: Int) {
      begun.withLock { $0.append(number) }
      semaphore.wait()
    }

    func open(times: Int = 1) { for _ in 0..<times { semaphore.signal() } }
  }

  @Test("As many pieces of work run as there are queues, and the others begin in the order of the calls")
  func order() async throws {
    let pool = QueuePool(label: "test", count: 2)
    let gate = Gate()
    for number in 0..<6 { pool.run { gate.pass(number) } }
    #expect(try await eventually { gate.begun.withLock { $0.count } == 2 })
    for done in 1...4 {
      #expect(gate.begun.withLock { Set($0) } == Set(0..<done + 1))
      gate.open()
      #expect(try await eventually { gate.begun.withLock { $0.count } == done + 2 })
    }
    #expect(gate.begun.withLock { Array($0.dropFirst(2)) } == [2, 3, 4, 5])
    gate.open(times: 2)
  }

  @Test("Work that blocks a queue leaves the others to the rest")
  func blocked() async throws {
    let pool = QueuePool(label: "test", count: 2)
    let gate = Gate()
    pool.run { gate.pass(0) }
    let done = Locked(0)
    for _ in 0..<50 { pool.run { done.withLock { $0 += 1 } } }
    #expect(try await eventually { done.withLock { $0 } == 50 })
    gate.open()
  }

  @Test("The pool says each time that all of its work has ended, and not before")
  func rested() async throws {
    let gate = Gate()
    let rests = Locked(0)
    let pool = QueuePool(label: "test", count: 3) { rests.withLock { $0 += 1 } }
    for round in 1...2 {
      for number in 0..<5 { pool.run { gate.pass(number) } }
      gate.open(times: 4)
      #expect(try await eventually { gate.begun.withLock { $0.count } == 5 * round })
      #expect(rests.withLock { $0 } == round - 1)
      gate.open()
      #expect(try await eventually { rests.withLock { $0 } == round })
    }
  }

  @Test("The results of a function are in the order of its arguments, and it runs for several of them at once")
  func map() {
    let meeting = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let haveMet = Locked<[Bool]>([])
    let results = QueuePool(label: "test", count: 2).map(Array(0..<100)) { number in
      // Each of the first two waits for the other.
      if number < 2 {
        meeting[number].signal()
        let outcome = meeting[1 - number].wait(timeout: .now() + 60)
        haveMet.withLock { $0.append(outcome == .success) }
      }
      return number * number
    }
    #expect(haveMet.withLock { $0 } == [true, true])
    #expect(results == (0..<100).map { $0 * $0 })
    #expect(QueuePool(label: "test", count: 2).map([Int]()) { $0 }.isEmpty)
  }
}
