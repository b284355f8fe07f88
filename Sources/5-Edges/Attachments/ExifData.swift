/// The parts of Exif data that matter for sending a picture (Exif 2.32 §4.6, TIFF 6.0 §2).
struct ExifData {
  /// The picture's orientation, from 2 to 8; nil for an upright picture.
  private(set) var orientation: UInt8?

  private static let orientationTag = 0x0112

  private let bytes: ArraySlice<UInt8>
  private let isLittleEndian: Bool

  /// Reads Exif data, which begins with a TIFF header. Anything unreadable is ignored, since it cannot be shown either.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    isLittleEndian = bytes.starts(with: "II".utf8)
    guard isLittleEndian || bytes.starts(with: "MM".utf8), integer(at: 2, count: 2) == 42,
      let first = integer(at: 4, count: 4)
    else { return }
    for entry in entries(at: first) ?? [] where integer(at: entry, count: 2) == Self.orientationTag {
      if let value = integer(at: entry + 8, count: 2), 2...8 ~= value, orientation == nil { orientation = UInt8(value) }
    }
  }

  /// Returns Exif data that contains only an orientation.
  static func minimal(orientation: UInt8) -> [UInt8] {
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
      + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + [0, 0, 0, 0]
  }

  /// Returns the offsets of the entries in the directory at an offset; nil if there is no directory.
  private func entries(at offset: Int) -> [Int]? {
    guard let count = integer(at: offset, count: 2), offset + 2 + count * 12 <= bytes.count else { return nil }
    return (0..<count).map { offset + 2 + $0 * 12 }
  }

  private func integer(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    let part = bytes.dropFirst(offset).prefix(count)
    return isLittleEndian ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }
}
