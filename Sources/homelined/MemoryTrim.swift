internal import Dispatch
internal import Platform

/// Has the process give back memory when nothing has changed for a moment; and where something always does, as among many accounts,
/// every now and then, since what one refresh leaves of the heap does not fit the next one, and would be kept for good.
// Sendable because what changes in it is touched on the main queue only.
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
