import Dispatch
import Sandbox

/// The next answer of a sandbox to one sort of question, held back until a test has done something meanwhile.
final class HeldAnswer: Sendable {
  private let came = DispatchGroup()
  private let goes = DispatchSemaphore(value: 0)

  init(of sandbox: SandboxServer, to route: SandboxRoute) {
    came.enter()
    let (came, goes) = (came, goes)
    sandbox.withFaults { faults in
      faults.add(
        .change { _ in
          came.leave()
          // On the sandbox's own queue, which has nothing else to do.
          _ = goes.wait(timeout: .now() + 600)
        }, to: route)
    }
  }

  /// Waits until the question has come.
  func asked() async {
    await withCheckedContinuation { done in came.notify(queue: .global()) { done.resume() } }
  }

  /// Lets the answer go.
  func answer() { goes.signal() }
}
