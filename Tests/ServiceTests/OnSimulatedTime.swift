import Dispatch
import Service
import Settings

/// The service by a clock that the test moves.
protocol OnSimulatedTime: Sendable {
  var time: SimulatedTime { get }
  var keeper: Keeper { get }
}

extension OnSimulatedTime {
  /// Begins to refresh what is due, and waits until it is known of all accounts when that is.
  func start() async {
    await withCheckedContinuation { done in keeper.startSchedule { done.resume() } }
    await settle()
  }

  /// Goes from one moment at which something is due to the next, for so long.
  /// - Parameter step: the least time from one to the next, as on a machine whose timers are late.
  func run(for duration: Duration, by step: Duration = .zero) async {
    var left = duration
    while true {
      await settle()
      guard let pause = time.pause, pause <= left else { break }
      let passing = min(max(pause, step), left)
      time.pass(passing)
      left -= passing
      time.ring()
    }
    time.pass(left)
  }

  /// Waits until nothing is under way.
  func settle() async {
    var standing: [AccountName: AccountStanding] = [:]
    repeat {
      // The scheduler's queue has taken in what was asked before this look. Looking at many accounts takes its time from them.
      try? await Task.sleep(for: .milliseconds(2 + standing.count / 20))
      standing = keeper.scheduler.standing
    } while standing.values.contains { $0.work != nil }
  }
}
