import CivilTime
import Platform

@testable import Sandbox

/// A provider's clock that stands still until it is moved on. The posts of the sandbox come with its time, so a test says how many do.
final class StandingClock: Sendable {
  private let time: Locked<Timestamp>

  /// A while before now, so that no post is of the future.
  init() {
    let past = (WallClock.system.now - .seconds(6 * 3600)).milliseconds
    // Between the place where a slot's post stands and the next slot: from there each slot that passes is a post.
    let slots = (past - PostCalendar.epoch.milliseconds) / PostCalendar.slot
    time = Locked(Timestamp(milliseconds: PostCalendar.epoch.milliseconds + slots * PostCalendar.slot + 30_000))
  }

  var wall: WallClock { WallClock { [time] in time.withLock { $0 } } }

  /// Lets so many posts appear.
  func pass(posts: Int) { time.withLock { $0 = $0 + .milliseconds(PostCalendar.slot * Int64(posts)) } }
}
