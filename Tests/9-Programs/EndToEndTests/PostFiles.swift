import Platform

@testable import Sandbox

/// Files to attach to posts.
enum PostFile {
  /// Returns a picture.
  static func picture(_ name: String = "media/a") -> [UInt8] { SandboxPicture(path: name).png() }

  /// Returns a video without metadata, of about the given size. It has one track with one sample.
  static func video(_ size: Int) -> [UInt8] {
    let type = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    let empty = movie(offset: 0, count: 0)
    var content = [UInt8](repeating: 0, count: max(1, size - type.count - empty.count - 8))
    let movie = movie(offset: type.count + empty.count + 8, count: content.count)
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

  private static func movie(offset: Int, count: Int) -> [UInt8] {
    let one: [UInt8] = [0, 0, 0, 1]
    let version: [UInt8] = [0, 0, 0, 0]
    let tables =
      box("stsd", version + one + box("vp09", [UInt8](repeating: 0, count: 78)))
      + box("stsc", version + one + one + one + one)
      + box("stsz", version + bigEndian(count) + one) + box("stco", version + one + bigEndian(offset))
    let handler = box("hdlr", version + version + Array("vide".utf8) + [UInt8](repeating: 0, count: 12))
    let track = box("trak", box("mdia", handler + box("minf", box("stbl", tables))))
    return box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)) + track)
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + Array(name.utf8) + content
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
