import Platform
import Testing
import Time

@testable import Service

@Suite struct ClockWatchTests {
  private let time = SimulatedTime()

  @Test("while all clocks advance together, no clock change is reported")
  func nothing() {
    var watch = ClockWatch(time.clocks)
    for _ in 0..<100 {
      time.pass(.seconds(3600))
      #expect(watch.look(at: time.clocks) == ClockWatch.Finding())
    }
  }

  @Test("setting the wall clock is reported only once, with the difference", arguments: [-86_400, -6, 6, 3600])
  func set(seconds: Int64) {
    var watch = ClockWatch(time.clocks)
    time.pass(.seconds(10))
    time.set(by: .seconds(seconds))
    #expect(watch.look(at: time.clocks) == ClockWatch.Finding(set: .seconds(seconds)))
    #expect(watch.look(at: time.clocks) == ClockWatch.Finding())
  }

  @Test("a suspend is reported with its length, and not as a clock change")
  func asleep() {
    var watch = ClockWatch(time.clocks)
    time.pass(.seconds(10))
    time.pass(.seconds(7200), asleep: true)
    #expect(watch.look(at: time.clocks) == ClockWatch.Finding(asleep: .seconds(7200)))
  }

  @Test("clock drift accumulates until it is large enough to be reported")
  func drift() {
    var watch = ClockWatch(time.clocks)
    var found: [Duration] = []
    for _ in 0..<12 {
      time.pass(.seconds(60))
      time.set(by: .seconds(1))
      if let set = watch.look(at: time.clocks).set { found.append(set) }
    }
    #expect(found == [.seconds(6), .seconds(6)])
  }
}
