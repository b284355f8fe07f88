import CivilTime
import Platform

@testable import Sandbox

/// A provider's clock that stands still until it is moved on. The posts of the sandbox come with its time, so a test says how many do.
final class StandingClock: Sendable {
  /// A while before now, so that no post is of the future; the same one for all, so that two homes see the same posts.
  private static let start = WallClock.system.now - .seconds(6 * 3600)

  private let time = Locked(StandingClock.start)

  var wall: WallClock { WallClock { [time] in time.withLock { $0 } } }

  /// Lets so many posts appear, if the timeline is that of the tests.
  func pass(posts: Int) { time.withLock { $0 = $0 + .milliseconds(PostCalendar.slot * Int64(posts)) } }
}
