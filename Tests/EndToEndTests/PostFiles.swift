import Platform
@testable import Sandbox

/// Files to attach to posts.
enum PostFile {
  /// Returns a picture.
  static func picture(_ name: String = "media/a") -> [UInt8] { SandboxPicture(path: name).png() }

  /// Returns a video without a location, of about the given size.
  static func video(_ size: Int) -> [UInt8] {
    let type = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    let movie = box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)))
    var content = [UInt8](repeating: 0, count: max(0, size - type.count - movie.count - 8))
    for index in stride(from: 0, to: content.count, by: 997) { content[index] = UInt8(truncatingIfNeeded: index / 997) }
    return type + movie + box("mdat", content)
  }

  /// Returns a GIF of this size: one pixel, followed by data that is not shown.
  static func animation(_ size: Int) -> [UInt8] {
    let head: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1]
    let block = [UInt8(255)] + [UInt8](repeating: 0, count: 255)
    let count = max(0, size - head.count - frame.count - 2) / block.count
    return head + frame + (0..<count).flatMap { _ in block } + [0, 0x3B]
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = content.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
  }
}

extension TestInstallation {
  /// Writes a file.
  /// - Returns: its path.
  func file(_ name: String, _ content: [UInt8]) throws -> String {
    let path = "\(path)/\(name)"
    try AtomicFile.write(content, to: path, .replaced)
    return path
  }
}
