package import CivilTime
internal import Dispatch
package import Platform
internal import Storage

/// The pictures that published pages show: fetched once, stored by their content, shared by all accounts and views.
///
/// Everything in it happens on its own serial queue; callers come down to it by `sync`, and it never calls up. What is removed is
/// removed on that queue, behind who reads there (``reading(_:)``) and who writes a page (``name(_:by:at:writing:)``); readers in other
/// processes hold a lock (``MediaReading``), behind which a removal waits for a later occasion. A picture that a published page names is
/// never removed, and one that none names any more stays for ten minutes (``grace``), for who still looks at an older page.
///
/// A cache: nothing here throws. What does not work is logged, and means that pages name fewer pictures.
// Sendable because everything that changes in it is touched on `queue` only.
package final class MediaStore: @unchecked Sendable {
  /// How long a picture stays at least that no publication names any more.
  package static let grace = Duration.seconds(600)

  let files: MediaFiles
  private let clock: WallClock
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.media")
  private var opened: MediaIndex?
  /// How much all pictures and parts may take, in bytes; 0 keeps none.
  private(set) var limit: Int
  /// URLs that somebody is fetching.
  var claimed: Set<String> = []
  /// The size of a picture for which there was no room; until there is, nothing is fetched.
  var refusedSize: Int?
  private var isClosed = false
  private var lastTrouble: String?

  /// Opens nothing yet.
  /// - Parameters:
  ///   - folder: `FileLayout.mediaFolder`.
  ///   - limit: how much all pictures together may take, in bytes; 0 keeps none.
  ///   - log: told what does not work, at `.info`.
  package init(_ folder: String, limit: Int, clock: WallClock, log: Log) {
    files = MediaFiles(folder: folder)
    self.limit = limit
    self.clock = clock
    self.log = log
  }

  /// Whether pictures are kept at all.
  package var isOn: Bool { queue.sync { limit > 0 } }

  /// Goes on with another limit. What is too much goes when no page names it.
  package func adopt(limit: Int) {
    onIndex { index, now throws(StorageError) in
      self.limit = limit
      self.refusedSize = nil
      try self.shrink(index, to: limit, at: now)
    }
  }

  /// Runs the body behind every removal that was asked for before, and before any that is asked for later: a page may be read in it, and
  /// then the pictures that it names. The body must not ask this store for anything.
  package func reading<Answer>(_ body: () throws -> Answer) rethrows -> Answer { try queue.sync(execute: body) }

  /// Closes the index, behind what is under way. Nothing is kept or named afterwards.
  package func close() {
    queue.sync {
      isClosed = true
      opened?.close()
      opened = nil
    }
  }

  // MARK: The queue

  /// Runs the body on the queue with the index, and in the order asked for.
  /// - Returns: `nil` where the index cannot be used, or nothing is kept and nothing was.
  /// - Parameter making: whether to begin one where there is none.
  @discardableResult
  func onIndex<Answer>(making: Bool = false, _ body: (MediaIndex, Timestamp) throws(StorageError) -> Answer) -> Answer?
  {
    queue.sync { withIndex(making: making, body) }
  }

  /// Runs the body on the queue, from which it may use ``withIndex(_:)``.
  func onQueue<Answer>(_ body: () -> Answer) -> Answer { queue.sync(execute: body) }

  /// To be called on the queue.
  func withIndex<Answer>(making: Bool = false, _ body: (MediaIndex, Timestamp) throws(StorageError) -> Answer)
    -> Answer?
  {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let index = index(making: making) else { return nil }
    do throws(StorageError) { return try body(index, clock.now) } catch {
      trouble("\(error)")
      // The next one finds what the disk holds, or begins anew.
      if error.kind == .damaged {
        index.close()
        opened = nil
        for suffix in ["", "-wal", "-shm"] { try? File.remove(files.index + suffix) }
      }
      return nil
    }
  }

  private func index(making: Bool) -> MediaIndex? {
    if let opened, opened.isInPlace { return opened }
    opened?.close()
    opened = nil
    guard !isClosed, making && limit > 0 || File.exists(files.folder) else { return nil }
    do {
      try files.create()
      let index = try MediaIndex.open(files.index)
      try takeUp(index, at: clock.now)
      opened = index
      return index
    } catch {
      trouble("\(error)")
      return nil
    }
  }

  /// Says what does not work, once until it is something else.
  func trouble(_ words: String) {
    guard words != lastTrouble else { return }
    lastTrouble = words
    log(.info, words)
  }
}
