import Platform
import Time

@testable import PublishedFiles

/// A picture store in a temporary folder, with a clock that the test sets.
struct PictureFixture {
  let store: MediaStore
  let cache: String
  let clock: ManualClock
  let said = Locked<[String]>([])

  var folder: String { "\(cache)/_media" }

  init(_ cache: String, limit: Int = 10_000_000) {
    self.cache = cache
    let clock = ManualClock()
    self.clock = clock
    store = MediaStore(
      "\(cache)/_media", limit: limit, clock: clock.wall,
      log: Log { [said] _, line in said.withLock { $0.append(line) } })
  }

  /// Fetches a picture.
  @discardableResult
  func fetch(_ url: String, _ bytes: [UInt8]) -> MediaStore.StoreResult? {
    store.claim(url).map { store.store(bytes, of: $0) }
  }

  /// Publishes a page with the given pictures.
  @discardableResult
  func publish(_ urls: [String], by owner: String = "account:bird") -> [String: String] {
    store.name(urls, by: owner) { $0 }
  }

  func has(_ path: String?) -> Bool { path.map { File.exists("\(cache)/\($0)") } ?? false }
}

/// A clock that shows noon until it is advanced.
final class ManualClock: Sendable {
  private let time = Locked(noon)

  var wall: WallClock { WallClock { [time] in time.withLock { $0 } } }
  func move(by step: Duration) { time.withLock { $0 = $0 + step } }
}

/// Returns bytes that begin like a PNG file, different for each number.
func picture(_ number: Int, size: Int = 1000) -> [UInt8] {
  let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  let mark = withUnsafeBytes(of: UInt64(number)) { Array($0) }
  return head + mark + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size - 16)
}

extension MediaStore {
  /// The total size of pictures and parts in bytes.
  var totalBytes: Int { onIndex { index, _ in (try? total(index)) ?? -1 } ?? 0 }
}
