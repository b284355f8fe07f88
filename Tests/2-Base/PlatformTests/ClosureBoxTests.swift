import TestSupport
import Testing

@testable import Platform

@Suite struct ClosureBoxTests {
  @Test(
    "a closure stored in a lock is not wrapped again with each call",
    .enabled(if: !Sanitizer.isOn, "the address sanitizer does not keep variables on the stack"))
  func depth() {
    let depths = Locked<[Int]>([])
    let kept = Locked<ClosureBox<@Sendable () -> Void>?>(nil)
    kept.withLock {
      $0 = ClosureBox {
        var place = 0
        withUnsafeMutablePointer(to: &place) { pointer in
          let depth = Int(bitPattern: pointer)
          depths.withLock { $0.append(depth) }
        }
      }
    }
    for _ in 0..<1000 { kept.withLock { $0 }?.call() }
    let all = depths.withLock { $0 }
    #expect(all.count == 1000 && all[0] - all[999] == 0)
  }
}
