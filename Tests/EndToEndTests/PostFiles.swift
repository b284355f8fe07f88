import Platform
@testable import Sandbox

/// Files to publish with posts.
enum PostFile {
  /// A picture.
  static func picture(_ name: String = "media/a") -> [UInt8] { SandboxPicture(path: name).png() }

  /// A video without a location, about this large.
  static func video(_ size: Int) -> [UInt8] {
    let type = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    let movie = box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)))
    var content = [UInt8](repeating: 0, count: max(0, size - type.count - movie.count - 8))
    for index in stride(from: 0, to: content.count, by: 997) { content[index] = UInt8(truncatingIfNeeded: index / 997) }
    return type + movie + box("mdat", content)
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
