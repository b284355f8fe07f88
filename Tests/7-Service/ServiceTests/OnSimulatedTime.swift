import Accounts
import Dispatch
import Service
import Settings
import TestSupport
import Testing

/// A service with a clock that the test moves.
protocol OnSimulatedTime: Sendable {
  var time: SimulatedTime { get }
  var accountManager: AccountManager { get }
}

extension OnSimulatedTime {
  /// Starts refreshing due accounts, and waits until it is known when every account is next due.
  func start() async {
    await withCheckedContinuation { done in accountManager.startSchedule { done.resume() } }
    await settle()
  }

  /// Advances the clock from one due time to the next, for the given duration.
  /// - Parameter step: the shortest advance of the clock, as on a machine whose timers are late.
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

  /// Waits until no work is in progress.
  func settle() async {
    var pause = Duration.milliseconds(2)
    let isSettled = try? await eventually(within: .seconds(300), every: .zero) {
      // The scheduler's queue takes the snapshot after all earlier requests. A snapshot of many accounts is expensive.
      try? await Task.sleep(for: pause)
      let standing = accountManager.scheduler.snapshots
      pause = .milliseconds(2 + standing.count / 20)
      return !standing.values.contains { $0.work != nil }
    }
    #expect(isSettled == true)
  }
}
