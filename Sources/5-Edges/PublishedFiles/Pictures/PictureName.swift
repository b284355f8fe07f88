internal import Cryptography

/// The file name of a stored picture: the SHA-256 of its bytes, and its type. The same bytes always have the same name.
package struct PictureName: Sendable, Hashable {
  /// The SHA-256, as 64 hexadecimal digits.
  package let hash: String
  package let type: PictureType

  init(hash: String, type: PictureType) {
    self.hash = hash
    self.type = type
  }

  /// Creates the name for a picture; `nil` if the bytes are not a picture.
  init?(of bytes: [UInt8]) throws(CryptographyError) {
    guard let type = PictureType(of: bytes) else { return nil }
    self.init(hash: try Self.hash(of: bytes), type: type)
  }

  /// Parses a file name; `nil` if it is not the name of a picture.
  package init?(fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 64, parts[0].utf8.allSatisfy(Self.digits.contains),
      let type = PictureType(rawValue: String(parts[1]))
    else { return nil }
    self.init(hash: String(parts[0]), type: type)
  }

  package var fileName: String { "\(hash).\(type.suffix)" }
  /// The file's folder, one of 256.
  var table: String { String(hash.prefix(2)) }
  /// The path in the cache folder, as used on published pages.
  package var path: String { "_media/\(table)/\(fileName)" }

  /// Returns the path of the file.
  /// - Parameter folder: `FileLayout.mediaFolder`.
  package func path(in folder: String) -> String { "\(folder)/\(table)/\(fileName)" }

  private static let digits = Array("0123456789abcdef".utf8)

  static func hash(of bytes: [UInt8]) throws(CryptographyError) -> String {
    let digest = try SHA256.digest(of: bytes)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
