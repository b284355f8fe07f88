import Glibc
import Platform
import SandboxSupport
import TestSupport

/// Kills a service once, after the server has received a certain request and before it responds.
final class ServiceKiller: Sendable {
  private let isTime: @Sendable (RequestRecord) -> Bool
  private let victim = Locked<Int32?>(nil)
  private let struck = Locked(false)

  /// - Parameter isTime: returns whether to kill the service at this request.
  init(_ isTime: @escaping @Sendable (RequestRecord) -> Bool) { self.isTime = isTime }

  var hasStruck: Bool { struck.withLock { $0 } }

  func aim(at daemon: RunningDaemon) { victim.withLock { $0 = daemon.program.process } }

  func note(_ request: RequestRecord) { if isTime(request) { strike() } }

  func strike() {
    victim.withLock { victim in
      guard let process = victim else { return }
      // The signal may end a command that waits for the service before this thread runs again.
      struck.withLock { $0 = true }
      kill(process, SIGKILL)
      victim = nil
    }
  }
}
