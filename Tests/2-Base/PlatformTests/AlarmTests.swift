import Dispatch
import Testing

@testable import Platform

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
    alarm.set(BootInstant(nanoseconds: 0))  // An alarm with a time in the past fires immediately.
    await iterator.next()
    withExtendedLifetime(alarm) {}
  }

  @Test("an alarm can be set to any time, because times are limited to 73 years and durations to 146")
  func bounds() throws {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
    let alarm = try Alarm(on: DispatchQueue(label: "alarm")) {}
    for duration in [longest, .seconds(Int64.max), .seconds(253_402_300_799), .nanoseconds(Int64.max)] {
      let later = BootInstant.now + duration
      alarm.set(later)
      #expect(later > .now + .seconds(70 * 365 * 86_400) && later + duration == later)
      #expect(BootInstant.now + (.zero - duration) < BootInstant.now && duration.nanoseconds > 0)
      #expect(later - (BootInstant.now + (.zero - duration)) <= .nanoseconds(Int64.max))
    }
    #expect(Duration.seconds(5).nanoseconds == 5_000_000_000 && Duration.nanoseconds(-3).nanoseconds == -3)
    alarm.set(nil)
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
