package import Commands
package import Formats
internal import Glibc
internal import Platform
internal import Timeline

/// Reads published files.
package enum PublishedFile {
  /// The largest file, about 10,000 long posts.
  private static let sizeLimit = 256 << 20
  /// The size of the first read, which nearly always contains the head and twenty posts.
  private static let firstStep = 64 << 10

  /// Reads a published file.
  /// - Parameter limit: The number of posts to return. Little of the file is read beyond these posts.
  /// - Returns: nil if the file does not exist.
  package static func read(_ path: String, limit: Int = .max) throws(CommandError) -> TimelineFile? {
    let descriptor: Descriptor
    do throws(SystemError) { descriptor = try TrustedFile.open(path, O_RDONLY) } catch {
      if error.isNoEntry || error.code == ENOTDIR { return nil }
      throw CommandError(error.about(path))
    }
    var bytes: [UInt8] = []
    var step = limit == .max ? sizeLimit + 1 : firstStep
    while true {
      // The bytes are always read from the same open file, even if the file is replaced.
      let isWhole: Bool
      do throws(SystemError) { isWhole = try descriptor.fill(&bytes, upTo: step) } catch {
        throw CommandError(error.about(path))
      }
      if bytes.count > sizeLimit {
        throw CommandError(SystemError(call: "read", code: EFBIG, subject: path))
      }
      do throws(PublishedFormatError) { return try TimelineFile.read(bytes, limit: limit) } catch {
        // A truncated file is also malformed; only the whole file shows whether it is damaged.
        guard !isWhole, case .malformed = error else { throw CommandError(.badData, "\(path): \(error)") }
      }
      step = min(step * 8, sizeLimit + 1)
    }
  }
}
