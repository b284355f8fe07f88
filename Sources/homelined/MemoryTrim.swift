internal import Dispatch
internal import Platform

/// Returns free memory to the kernel one second after the last change, and at least once a minute while changes continue: with many
/// accounts the heap would fragment and grow.
// Sendable because all mutable state is accessed on the main queue only.
final class MemoryTrim: @unchecked Sendable {
  private static let quiet: Duration = .seconds(1)
  private static let longest: Duration = .seconds(60)

  private var alarm: Alarm?
  private var last = BootInstant.now

  init() throws(SystemError) {
    alarm = try Alarm(on: .main) { [weak self] in
      self?.last = .now
      IdleMemory.giveBack()
    }
  }

  func noteChange() { alarm?.set(min(.now + Self.quiet, last + Self.longest)) }
}
