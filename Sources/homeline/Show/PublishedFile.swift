internal import Commands
internal import Glibc
internal import Platform
internal import Publish

/// A published file as it is now.
enum PublishedFile {
  /// About the file of 10,000 long posts.
  private static let sizeLimit = 256 << 20
  /// Twenty posts and the head fit into it nearly always.
  private static let firstStep = 64 << 10

  /// - Parameter limit: how many posts are wanted; little more of the file is read than these take.
  /// - Returns: nil when there is none.
  static func read(_ path: String, limit: Int = .max) throws(CommandFailure) -> TimelineFile? {
    let descriptor: Descriptor
    do throws(SystemError) { descriptor = try TrustedFile.open(path, O_RDONLY) } catch {
      if error.isNoEntry || error.code == ENOTDIR { return nil }
      throw CommandFailure(.inputOutput, "\(error.about(path))")
    }
    var bytes: [UInt8] = []
    var step = limit == .max ? sizeLimit + 1 : firstStep
    while true {
      // From the same open file each time, whatever stands in its place meanwhile.
      let isWhole: Bool
      do throws(SystemError) { isWhole = try descriptor.fill(&bytes, upTo: step) } catch {
        throw CommandFailure(.inputOutput, "\(error.about(path))")
      }
      if bytes.count > sizeLimit {
        throw CommandFailure(.inputOutput, "\(SystemError(call: "read", code: EFBIG, subject: path))")
      }
      do throws(PublishedFormatError) { return try TimelineFile.read(bytes, limit: limit) } catch {
        // What is cut off cannot be read: only the whole file shows whether there is a fault in it.
        guard !isWhole, case .malformed = error else { throw CommandFailure(.badData, "\(path): \(error)") }
      }
      step = min(step * 8, sizeLimit + 1)
    }
  }
}

/// Something published that is shown: an account's timeline, or a view's.
struct ShownSource: Sendable, Hashable {
  /// For messages, and beside posts of several accounts.
  let name: String
  /// The folder of its `home_timeline.json`.
  let folder: String
  /// Whether its posts came through several accounts, and each names its own.
  let isView: Bool

  static let fileName = "home_timeline.json"

  var path: String { "\(folder)/\(Self.fileName)" }
}
