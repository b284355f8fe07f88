import CivilTime
import Platform

@testable import Sandbox

/// A provider's clock that moves only on demand. The sandbox derives its posts from the time, so the test controls
/// the number of new posts.
final class StandingClock: Sendable {
  /// A while before now, so that no post is in the future; the same for all, so that two installations see the same
  /// posts.
  private static let start = WallClock.system.now - .seconds(6 * 3600)

  private let time = Locked(StandingClock.start)

  var wall: WallClock { WallClock { [time] in time.withLock { $0 } } }

  /// Advances the clock until this number of new posts has appeared, with a test timeline.
  func pass(posts: Int) { time.withLock { $0 = $0 + .milliseconds(PostCalendar.slot * Int64(posts)) } }
}
