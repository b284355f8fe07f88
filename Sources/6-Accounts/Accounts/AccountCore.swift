package import Folders
package import Platform
package import Providers
package import Scheduling
package import Settings
package import Time
internal import Timeline

/// What all objects of an account need: its name, settings, queue, files and clock. Belongs to the account's queue.
package final class AccountCore {
  package let name: AccountName
  package let accountQueue: AccountQueue
  package let files: AccountFiles
  package let clock: WallClock
  package let log: Log
  package let shared: SharedServices
  /// The current settings and connections. A reload can replace them.
  package internal(set) var dependencies: AccountDependencies
  /// Whether the server counts all requests from this machine together, as far as its posts have shown.
  private(set) var countsByAddress = false
  /// Whether `countsByAddress` has changed since the schedule last asked.
  private var hasLearnedWindow = false
  /// Whether this process is a service with a schedule. A service keeps its plans in memory, so they remain valid even if nothing can be
  /// stored.
  package var isInService = false

  init(
    _ dependencies: AccountDependencies, files: AccountFiles, queue: AccountQueue, shared: SharedServices,
    clock: WallClock, log: Log
  ) {
    name = dependencies.settings.name
    self.dependencies = dependencies
    self.files = files
    accountQueue = queue
    self.shared = shared
    self.clock = clock
    self.log = log
  }

  /// Learns from a post of the home timeline what the server counts.
  func learnWindow(from id: PostID?) {
    guard let id, case let counts = provider.countsByAddress(id), counts != countsByAddress else { return }
    (countsByAddress, hasLearnedWindow) = (counts, true)
  }

  /// Returns whether what the server counts has become known since the last call.
  package func takeLearnedWindow() -> Bool {
    defer { hasLearnedWindow = false }
    return hasLearnedWindow
  }

  package var settings: AccountSettings { dependencies.settings }
  package var provider: any Provider { dependencies.provider }

  /// Decides when unusable files are read again. This takes no request.
  package var pacing: Pacing { Pacing(interval: settings.refreshInterval) }
}
