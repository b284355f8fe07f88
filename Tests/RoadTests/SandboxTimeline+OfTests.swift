import CivilTime

@testable import Sandbox

extension SandboxTimeline {
  /// A timeline whose newest posts are the same whenever the test runs, with the same time until the next one.
  /// - Parameter now: the provider's time when the test begins.
  static func ofTests(at now: Timestamp) -> SandboxTimeline {
    // In the middle of a slot: its post has just appeared, the next one is as far away as possible, and each slot
    // adds one post.
    SandboxTimeline(start: now - .milliseconds(PostCalendar.slot * 10_000 + PostCalendar.slot / 2))
  }
}
