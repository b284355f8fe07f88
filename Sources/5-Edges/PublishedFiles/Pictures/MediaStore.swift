internal import Dispatch
package import Platform
internal import Storage
package import Time
package import Timeline

/// Stores the pictures that published pages show. Each picture is fetched once, named after its content, and used by all accounts and
/// views.
///
/// All work happens on the store's own serial queue. Callers use `sync`, and the store never calls them back. Removals on that queue wait
/// for pages being written (``name(_:by:at:writing:)``). Readers hold a lock (``MediaReading``), which postpones removals. A picture is
/// never removed while a published page refers to it. After that, it is kept for ten more minutes (``grace``), for browsers that
/// still show an older page.
///
/// The store is a cache, so no method throws. Failures are logged, and pages then show fewer pictures.
// Sendable because all mutable state is accessed only on `queue`.
package final class MediaStore: @unchecked Sendable {
  /// The minimum time to keep a picture after the last page that referred to it was replaced.
  package static let grace = Duration.seconds(600)

  let files: MediaFiles
  private let clock: WallClock
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.media")
  private var opened: MediaIndex?
  /// The maximum total size of pictures and parts in bytes; 0 to store none.
  var limit: Int
  /// The URLs that are being fetched.
  var claimed: Set<String> = []
  /// The size of a picture that exceeded the limit. No picture is fetched until that much space is free.
  var refusedSize: Int?
  private var isClosed = false
  private var lastFailure: String?

  /// Creates the store without opening any file.
  /// - Parameters:
  ///   - folder: `FileLayout.mediaFolder`.
  ///   - limit: the maximum total size in bytes; 0 to store none.
  ///   - log: receives failures at level `.info`.
  package init(_ folder: String, limit: Int, clock: WallClock, log: Log) {
    files = MediaFiles(folder: folder)
    self.limit = limit
    self.clock = clock
    self.log = log
  }

  /// Whether pictures are stored.
  package var isOn: Bool { queue.sync { limit > 0 } }

  /// Closes the index after the current operation. Nothing is stored afterwards.
  package func close() {
    queue.sync {
      isClosed = true
      opened?.close()
      opened = nil
    }
  }

  /// The identifier of a timeline's page.
  package static func owner(_ account: String, _ timeline: TimelineName) -> String {
    timeline == .home ? "account:\(account)" : "account:\(account)/\(timeline)"
  }

  // MARK: The queue

  /// Runs the body on the queue with the index.
  /// - Parameter making: whether to create the index if it does not exist.
  /// - Returns: `nil` if the index cannot be used, or if it does not exist and is not created.
  @discardableResult
  func onIndex<Value>(creating: Bool = false, _ body: (MediaIndex, Timestamp) throws(StorageError) -> Value)
    -> Value?
  {
    queue.sync { withIndex(creating: creating, body) }
  }

  /// Runs the body on the queue. It may call ``withIndex(_:)``.
  func onQueue<Value>(_ body: () -> Value) -> Value { queue.sync(execute: body) }

  /// Runs the body with the index. Call it on the queue.
  func withIndex<Value>(creating: Bool = false, _ body: (MediaIndex, Timestamp) throws(StorageError) -> Value)
    -> Value?
  {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let index = index(creating: creating) else { return nil }
    do throws(StorageError) { return try body(index, clock.now) } catch {
      logFailure("\(error)")
      // The next operation rebuilds the index from the files.
      if error.kind == .damaged {
        index.close()
        opened = nil
        for suffix in ["", "-wal", "-shm"] { try? File.remove(files.index + suffix) }
      }
      return nil
    }
  }

  private func index(creating: Bool) -> MediaIndex? {
    if let opened, opened.isInPlace { return opened }
    opened?.close()
    opened = nil
    guard !isClosed, creating && limit > 0 || File.exists(files.folder) else { return nil }
    do {
      try files.create()
      let index = try MediaIndex.open(files.index)
      try index.reconcile(with: files, at: clock.now)
      opened = index
      return index
    } catch {
      logFailure("\(error)")
      return nil
    }
  }

  /// Logs a failure unless it is the same as the last one logged.
  func logFailure(_ message: String) {
    guard message != lastFailure else { return }
    lastFailure = message
    log(.info, message)
  }
}
