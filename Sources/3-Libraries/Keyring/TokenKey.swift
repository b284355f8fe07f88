package import Bytes
internal import Cryptography

/// A 256-bit key that encrypts tokens.
package struct TokenKey: Sendable, Hashable {
  /// The key id, which does not reveal the key: the first 64 bits of a hash, in hexadecimal.
  package let id: String
  package let bytes: Secret

  private init(bytes: [UInt8]) throws(CryptographyError) {
    let digest = try SHA256.digest(of: Array("homeline token key\n".utf8) + bytes)
    id = Hexadecimal.text(digest.prefix(8))
    self.bytes = Secret(bytes: bytes)
  }

  /// Creates a new key.
  static func random() throws(CryptographyError) -> TokenKey {
    try TokenKey(bytes: RandomBytes.generate(AES256GCM.keySize))
  }

  /// Reads a key's text. Final line feeds are ignored: some programs that restore a secret add one.
  /// - Returns: `nil` for anything else.
  init?(_ text: Secret) {
    let bytes = text.withExposedText { text in
      Base64URL.decode(text.prefix { $0 != "\n" && $0 != "\r\n" })
    }
    guard let bytes, bytes.count == AES256GCM.keySize, let key = try? TokenKey(bytes: bytes) else { return nil }
    self = key
  }

  /// The key as text for a keyring, in the URL-safe alphabet of base64.
  var text: Secret { bytes.withExposed { Secret(Base64URL.encode($0)) } }
}
