package import Bytes
internal import COpenSSL
internal import Cryptography
internal import JSON

/// Encrypts a document with a passphrase: scrypt (RFC 7914) derives the key, and AES-256-GCM (NIST SP 800-38D) encrypts and authenticates
/// the document.
///
/// The encrypted file begins with two lines of text: ``magic``, and the parameters as JSON. Both are authenticated as associated data. They
/// are followed by the ciphertext and the 16-byte tag.
package enum PassphraseEncryption {
  static let magic = "homeline-encrypted 1"

  /// The minimum length of a passphrase in characters.
  package static let shortestPassphrase = 8

  /// The scrypt parameters. scrypt needs 128 × `n` × `r` bytes of memory.
  struct Parameters: Sendable, Hashable {
    /// The cost parameter. It requires 128 MiB of memory, as OWASP's Password Storage Cheat Sheet recommends.
    var n: UInt64 = 1 << 17
    var r: UInt64 = 8
    var p: UInt64 = 1
    var salt: [UInt8]
    var nonce: [UInt8]

    /// The largest parameters that a file may specify, because it may be hostile. They take at most 256 MiB of memory, twice as much as
    /// homeline's own parameters, and a few seconds.
    static let (largestN, largestR, largestP): (UInt64, UInt64, UInt64) = (1 << 18, 8, 4)
    /// The largest number read at all.
    fileprivate static let largestNumber: UInt64 = 1 << 53

    /// Whether these are parameters of scrypt (RFC 7914 §2).
    var isValid: Bool {
      n > 1 && n.nonzeroBitCount == 1 && r > 0 && p > 0 && (16...64).contains(salt.count)
        && nonce.count == AES256GCM.nonceSize
    }

    /// Whether deriving the key takes more memory or time than a file may demand.
    var isTooCostly: Bool { n > Self.largestN || r > Self.largestR || p > Self.largestP }
  }

  package static func encrypt(_ document: [UInt8], passphrase: Secret) throws(EncryptionError) -> [UInt8] {
    var random = [UInt8](repeating: 0, count: 28)
    guard unsafe RAND_bytes(&random, 28) == 1 else { throw .failed("RAND_bytes") }
    let parameters = Parameters(salt: Array(random[..<16]), nonce: Array(random[16...]))
    let header = header(parameters)
    let key = try key(from: passphrase, parameters)
    do throws(CryptographyError) {
      return header + (try AES256GCM.seal(document, key: key, nonce: parameters.nonce, authenticating: header))
    } catch { throw .failed("EVP_CipherUpdate") }
  }

  /// Decrypts a file.
  /// - Throws: `.wrongPassphrase` if the passphrase is wrong or the file has been changed; `.tooCostly` before the key is derived.
  package static func decrypt(_ file: [UInt8], passphrase: Secret) throws(EncryptionError) -> [UInt8] {
    let (parameters, header) = try readHeader(file)
    let content = file[header.count...]
    guard parameters.isValid, content.count >= AES256GCM.tagSize else { throw .unknownFormat }
    if parameters.isTooCostly { throw .tooCostly }
    let key = try key(from: passphrase, parameters)
    do throws(CryptographyError) {
      return try AES256GCM.open(Array(content), key: key, nonce: parameters.nonce, authenticating: header)
    } catch { throw .wrongPassphrase }
  }

  // MARK: The header

  private static func header(_ parameters: Parameters) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("kdf", "scrypt")
      json.member("n", parameters.n)
      json.member("r", parameters.r)
      json.member("p", parameters.p)
      json.member("salt", Hexadecimal.text(parameters.salt))
      json.member("cipher", "aes-256-gcm")
      json.member("nonce", Hexadecimal.text(parameters.nonce))
    }
    return Array("\(magic)\n".utf8) + writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func readHeader(_ file: [UInt8]) throws(EncryptionError) -> (Parameters, header: [UInt8]) {
    let first = Array("\(magic)\n".utf8)
    guard file.starts(with: first), let end = file[first.count...].prefix(4096).firstIndex(of: UInt8(ascii: "\n"))
    else {
      throw .unknownFormat
    }
    var texts: [String: String] = [:]
    var numbers: [String: JSONNumber] = [:]
    do {
      var cursor = JSONCursor(Array(file[first.count..<end]), maximalDepth: 4)
      try cursor.members { json, name in
        switch try json.peek() {
        case .string: texts[name.text] = try json.string()
        case .number: numbers[name.text] = try json.number()
        default: try json.skip()
        }
      }
      try cursor.end()
    } catch { throw .unknownFormat }
    guard texts["kdf"] == "scrypt", texts["cipher"] == "aes-256-gcm",
      let n = numbers["n"]?.integer(in: 2...Parameters.largestNumber),
      let r = numbers["r"]?.integer(in: 1...Parameters.largestNumber),
      let p = numbers["p"]?.integer(in: 1...Parameters.largestNumber),
      let salt = texts["salt"].flatMap(Hexadecimal.bytes),
      let nonce = texts["nonce"].flatMap(Hexadecimal.bytes)
    else { throw .unknownFormat }
    return (Parameters(n: n, r: r, p: p, salt: salt, nonce: nonce), Array(file[...end]))
  }

  // MARK: OpenSSL

  /// Derives the 32-byte key (`EVP_PBE_scrypt(3)`).
  static func key(from passphrase: Secret, _ parameters: Parameters) throws(EncryptionError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: AES256GCM.keySize)
    // The library's own limit of 32 MiB is too low for these parameters.
    let memory = 128 * parameters.r * (parameters.n + parameters.p) + (1 << 20)
    let isDerived = passphrase.withExposed { passphrase in
      unsafe passphrase.withUnsafeBytes { bytes in
        unsafe EVP_PBE_scrypt(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, parameters.salt, parameters.salt.count,
          parameters.n, parameters.r, parameters.p, memory, &key, key.count) == 1
      }
    }
    guard isDerived else { throw .failed("EVP_PBE_scrypt") }
    return key
  }
}
