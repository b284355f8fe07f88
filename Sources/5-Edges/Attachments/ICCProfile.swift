/// The header of an ICC profile (ICC.1:2022 §7.2).
enum ICCProfile {
  /// The size of the header in bytes.
  static let headerSize = 128

  /// Returns the size of a profile that begins with these bytes, as its header states it; nil if they are not a profile.
  static func size(beginning bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= headerSize, bytes.dropFirst(36).starts(with: "acsp".utf8) else { return nil }
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return size >= headerSize ? size : nil
  }
}
