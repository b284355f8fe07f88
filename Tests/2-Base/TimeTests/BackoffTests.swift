import Testing
import Time

@Suite struct BackoffTests {
  @Test("each consecutive failure has its own pause, and the last pause applies to all further failures")
  func pauses() {
    let backoff = Backoff([.seconds(1), .seconds(5)])
    #expect((-1...4).map { backoff.pause(after: $0) } == [0, 0, 1, 5, 5, 5].map { .seconds($0) })
  }
}
