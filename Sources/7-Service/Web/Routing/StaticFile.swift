internal import Bytes
internal import Cryptography
internal import HTTP

/// A file that is part of the program. Its address contains a hash of its content, so that browsers need to fetch it only once.
struct StaticFile: Sendable {
  let type: FieldValue
  let bytes: [UInt8]
  /// The last component of its address, `/x/NAME`.
  let name: String

  /// - Parameter suffix: the name's extension.
  init(_ bytes: [UInt8], _ type: FieldValue, suffix: String) throws(CryptographyError) {
    self.bytes = bytes
    self.type = type
    name = "\(Hexadecimal.text(try SHA256.digest(of: bytes).prefix(16))).\(suffix)"
  }

  var address: WebAddress { WebAddress("x", name) }
}
