package import ControlProtocol
package import Diagnosis
package import Folders
internal import Formats
internal import Glibc
internal import Platform
package import Settings
package import Storage
package import Time
internal import Timeline

/// What pages are made from. Handlers read it on their own queues, and change nothing.
package struct WebData: Sendable {
  package let storage: any StorageProvider
  package let layout: FileLayout
  package let clock: WallClock
  private let settings: @Sendable () -> Configuration
  private let status: @Sendable () -> ControlStatus
  private let paths: @Sendable ([String]) -> [String: String]
  private let checks: @Sendable (ControlStatus) -> DiagnosticResult?

  /// - Parameters:
  ///   - settings: returns the current configuration.
  ///   - status: returns the status of the service and of all its accounts; does not wait for an account's work.
  ///   - paths: returns the path of each stored picture below the cache folder, by the picture's URL.
  ///   - checks: runs the quick checks of `homeline doctor`; returns nil if it cannot.
  package init(
    storage: any StorageProvider, layout: FileLayout, clock: WallClock = .system,
    settings: @escaping @Sendable () -> Configuration, status: @escaping @Sendable () -> ControlStatus,
    paths: @escaping @Sendable ([String]) -> [String: String] = { _ in [:] },
    checks: @escaping @Sendable (ControlStatus) -> DiagnosticResult? = { _ in nil }
  ) {
    self.storage = storage
    self.layout = layout
    self.clock = clock
    self.settings = settings
    self.status = status
    self.paths = paths
    self.checks = checks
  }

  /// The current configuration.
  package var configuration: Configuration { settings() }
  /// The status of the service and of all its accounts.
  package var serviceStatus: ControlStatus { status() }

  /// Returns the stored pictures of posts. Those that are not stored are shown as links, and never fetched because somebody looks.
  func pictures(of posts: [PublishedPost]) -> PagePictures {
    let stored = paths(posts.flatMap(\.post.pictureURLs)).compactMapValues { path in
      path.hasPrefix(Self.mediaFolder) ? String(path.dropFirst(Self.mediaFolder.count)) : nil
    }
    return PagePictures(paths: stored, after: "/m/")
  }

  /// The folder of the pictures in the cache folder, which their addresses here do not name.
  private static let mediaFolder = "_media/"

  /// Runs the quick checks; nil if this is not possible.
  func diagnosis(_ status: ControlStatus) -> DiagnosticResult? { checks(status) }

  /// How much of a file is read. It nearly always contains the head and the first post.
  private static let beginning = 64 << 10

  /// Returns the number of unread posts in a view's published file; `nil` if it cannot be read.
  func unread(of view: ViewSettings) -> Int? {
    let path = TimelineFiles(in: layout.viewFolder(of: view.name.text)).timeline
    guard let descriptor = try? TrustedFile.open(path, O_RDONLY) else { return nil }
    var bytes: [UInt8] = []
    guard (try? descriptor.fill(&bytes, upTo: Self.beginning)) != nil else { return nil }
    return (try? TimelineFile.read(bytes, limit: 1))?.head.unread
  }
}
