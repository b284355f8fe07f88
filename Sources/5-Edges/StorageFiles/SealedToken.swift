internal import Bytes
internal import Cryptography
internal import JSON
internal import Keyring
internal import Storage
internal import Timeline

/// The JSON of an encrypted `token.json`, schema 2: the JSON of schema 1, encrypted with AES-256-GCM.
///
/// The text is complete only with its last brace, so even without the key, a renewal's file shows whether a write was interrupted.
struct SealedToken {
  static let schema: Int64 = 2
  private static let cipher = "aes-256-gcm"

  /// A hash that identifies the server and the user, independently of the account's name. The values behind it never change during the
  /// token's lifetime.
  private let account: String
  /// The key id.
  let keyID: String
  private let nonce: [UInt8]
  /// The ciphertext with its authentication tag.
  private let ciphertext: [UInt8]

  init(sealing token: StoredToken, with key: TokenKey) throws(CryptographyError) {
    account = try token.identity.sealID
    keyID = key.id
    nonce = try RandomBytes.generate(AES256GCM.nonceSize)
    let data = Self.associatedData(account, keyID)
    ciphertext = try key.bytes.withExposed { [nonce] bytes throws(CryptographyError) in
      try AES256GCM.seal(token.json, key: bytes, nonce: nonce, authenticating: data)
    }
  }

  /// Reads the encrypted form. Success does not mean that it can be decrypted.
  init(json bytes: [UInt8]) throws(StoredToken.FormatError) {
    var texts: [String: String] = [:]
    do {
      var schema: Int64?
      var cursor = JSONCursor(bytes, maximalDepth: 16)
      try cursor.members { json, name in
        switch name {
        case "schema": schema = try json.integer(in: 0...Int64.max)
        case _ where try json.peek() == .string: texts[name.text] = try json.string()
        default: try json.skip()
        }
      }
      try cursor.end()
      if let schema, schema > Self.schema { throw StoredToken.FormatError.newerSchema(schema) }
      guard schema == Self.schema else { throw StoredToken.FormatError.corrupt("\"schema\" is missing") }
    } catch let error as StoredToken.FormatError {
      throw error
    } catch {
      throw .corrupt("it is not valid JSON")
    }
    guard texts["cipher"] == Self.cipher else { throw .unknownKind(texts["cipher"] ?? "") }
    guard let account = texts["account"], let keyID = texts["key"],
      let nonce = texts["nonce"].flatMap({ Base64URL.decode($0) }), nonce.count == AES256GCM.nonceSize,
      let ciphertext = texts["ciphertext"].flatMap({ Base64URL.decode($0) })
    else { throw .corrupt("a member of the encrypted form is missing") }
    self.account = account
    self.keyID = keyID
    self.nonce = nonce
    self.ciphertext = ciphertext
  }

  var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
      json.member("cipher", Self.cipher)
      json.member("account", account)
      json.member("key", keyID)
      json.member("nonce", Base64URL.encode(nonce))
      json.member("ciphertext", Base64URL.encode(ciphertext))
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Decrypts the token.
  /// - Throws: `.corrupt` if any part of the file was changed, or if it was encrypted with a different key.
  func open(with key: TokenKey) throws(StoredToken.FormatError) -> StoredToken {
    let data = Self.associatedData(account, keyID)
    let plain: [UInt8]
    do throws(CryptographyError) {
      plain = try key.bytes.withExposed { bytes throws(CryptographyError) in
        try AES256GCM.open(ciphertext, key: bytes, nonce: nonce, authenticating: data)
      }
    } catch { throw .corrupt("it cannot be decrypted, because it was changed") }
    let token = try StoredToken(json: plain)
    guard (try? token.identity.sealID) == account else {
      throw .corrupt("the account that it names differs from the one in its content")
    }
    return token
  }

  /// Returns the data that is authenticated along with the content. It does not change when the account is renamed or its folder is moved.
  private static func associatedData(_ account: String, _ keyID: String) -> [UInt8] {
    Array("homeline token\n\(schema)\n\(cipher)\n\(account)\n\(keyID)\n".utf8)
  }
}

extension AccountIdentity {
  /// A hash of the server, the issuer and the user's id, in the URL-safe alphabet of base64.
  fileprivate var sealID: String {
    get throws(CryptographyError) {
      let parts = [server, issuer ?? "", user.id].map { "\($0.utf8.count):\($0)" }.joined(separator: ",")
      return Base64URL.encode(Array(try SHA256.digest(of: Array(parts.utf8)).prefix(16)))
    }
  }
}
