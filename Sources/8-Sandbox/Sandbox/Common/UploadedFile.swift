/// A file that a client has uploaded to a simulated provider.
package struct UploadedFile: Sendable, Hashable {
  /// The file name in the request.
  package let name: String
  package let type: String
  package var content: [UInt8]
  package var description: String?

  /// The memory limit for the contents of uploaded files, in bytes. The content of a larger file is discarded.
  private static let memoryLimit = 256 << 20

  /// Returns how many of the oldest files must lose their content so that the rest fits in memory.
  /// - Parameter sizes: the sizes of the contents in bytes, from the oldest file to the newest.
  static func surplus(of sizes: [Int]) -> Int {
    var total = 0
    let kept = sizes.reversed().prefix { size in
      total += size
      return total <= memoryLimit
    }
    return sizes.count - kept.count
  }
}
