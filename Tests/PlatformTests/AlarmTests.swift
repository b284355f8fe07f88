import Dispatch
@testable import Platform
import Testing

@Suite(.timeLimit(.minutes(2))) struct AlarmTests {
  @Test("an alarm fires once on its queue, and fires again after it is set again")
  func rings() async throws {
    let queue = DispatchQueue(label: "alarm")
    let (rings, continuation) = AsyncStream<Void>.makeStream()
    let alarm = try Alarm(on: queue) {
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield()
    }
    var iterator = rings.makeAsyncIterator()
    alarm.set(.now + .milliseconds(5))
    await iterator.next()
    alarm.set(BootInstant(nanoseconds: 0))  // An alarm with a time in the past fires at once.
    await iterator.next()
    withExtendedLifetime(alarm) {}
  }

  @Test("setting an alarm replaces its time, and setting it to nil cancels it")
  func replaced() async throws {
    let queue = DispatchQueue(label: "alarm")
    let (rings, continuation) = AsyncStream<String>.makeStream()
    let silenced = try Alarm(on: queue) { continuation.yield("silenced") }
    let replaced = try Alarm(on: queue) { continuation.yield("replaced") }
    let last = try Alarm(on: queue) { continuation.yield("last") }
    // The time is longer than a thread may have to wait between two settings on a busy machine.
    silenced.set(.now + .milliseconds(400))
    silenced.set(nil)
    replaced.set(.now + .milliseconds(400))
    replaced.set(.now + .seconds(3600))
    last.set(.now + .milliseconds(800))
    var iterator = rings.makeAsyncIterator()
    #expect(await iterator.next() == "last")
    withExtendedLifetime((silenced, replaced, last)) {}
  }
}
