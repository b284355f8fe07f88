package import ControlProtocol
package import Folders
package import Settings
package import Storage
package import Time

/// What pages are made from. Handlers read it on their own queues, and change nothing.
package struct WebData: Sendable {
  package let storage: any StorageProvider
  package let layout: FileLayout
  package let clock: WallClock
  private let settings: @Sendable () -> Configuration
  private let status: @Sendable () -> ControlStatus

  /// - Parameters:
  ///   - settings: returns the current configuration.
  ///   - status: returns the status of the service and of all its accounts; does not wait for an account's work.
  package init(
    storage: any StorageProvider, layout: FileLayout, clock: WallClock = .system,
    settings: @escaping @Sendable () -> Configuration, status: @escaping @Sendable () -> ControlStatus
  ) {
    self.storage = storage
    self.layout = layout
    self.clock = clock
    self.settings = settings
    self.status = status
  }

  /// The current configuration.
  package var configuration: Configuration { settings() }
  /// The status of the service and of all its accounts.
  package var serviceStatus: ControlStatus { status() }
}
