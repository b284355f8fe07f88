internal import HomelineOAuth

/// The name of a kept picture: what its bytes hash to (SHA-256), and its type. The same bytes have one name, whoever shows them.
package struct PictureName: Sendable, Hashable {
  /// 64 hexadecimal digits.
  package let hash: String
  package let type: PictureType

  init(hash: String, type: PictureType) {
    self.hash = hash
    self.type = type
  }

  /// - Returns: `nil` for bytes that are no picture.
  init?(of bytes: [UInt8]) throws(CryptographyError) {
    guard let type = PictureType(of: bytes) else { return nil }
    self.init(hash: try Self.hash(of: bytes), type: type)
  }

  /// The name that a file has; `nil` for one that is not called like a picture.
  init?(fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 64, parts[0].utf8.allSatisfy(Self.digits.contains),
      let type = PictureType(rawValue: String(parts[1]))
    else { return nil }
    self.init(hash: String(parts[0]), type: type)
  }

  package var fileName: String { "\(hash).\(type.suffix)" }
  /// The folder that it lies in, one of 256.
  var shelf: String { String(hash.prefix(2)) }
  /// Below the cache folder, as published pages name it.
  package var path: String { "_media/\(shelf)/\(fileName)" }

  private static let digits = Array("0123456789abcdef".utf8)

  static func hash(of bytes: [UInt8]) throws(CryptographyError) -> String {
    let digest = try SHA256.digest(of: bytes)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
