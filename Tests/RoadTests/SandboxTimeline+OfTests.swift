import CivilTime

@testable import Sandbox

extension SandboxTimeline {
  /// A timeline in which the same posts are the newest, whenever the test runs: what stands in them, and how long the next one takes to
  /// come, is not up to the moment.
  /// - Parameter now: the provider's time as the test begins.
  static func ofTests(at now: Timestamp) -> SandboxTimeline {
    // In the middle of a slot: its post has just come, the next one is as far as can be, and each slot that passes is a post.
    SandboxTimeline(start: now - .milliseconds(PostCalendar.slot * 10_000 + PostCalendar.slot / 2))
  }
}
