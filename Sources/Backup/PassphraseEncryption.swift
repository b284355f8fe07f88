internal import COpenSSL
package import HomelineOAuth
internal import JSON

/// Encrypts a document with a passphrase: scrypt (RFC 7914) derives the key, and AES-256-GCM (NIST SP 800-38D) encrypts and authenticates.
///
/// The encrypted file begins with two lines of text: ``magic``, and the parameters as JSON. Both are authenticated, as associated data. The
/// ciphertext and the 16-byte tag follow.
package enum PassphraseEncryption {
  static let magic = "homeline-encrypted 1"

  /// The minimum length of a passphrase in bytes.
  package static let shortestPassphrase = 8
  private static let tagLength = 16

  /// The scrypt parameters. scrypt needs 128 × `n` × `r` bytes of memory.
  struct Parameters: Sendable, Hashable {
    /// 128 MiB, as OWASP's Password Storage Cheat Sheet recommends.
    var n: UInt64 = 1 << 17
    var r: UInt64 = 8
    var p: UInt64 = 1
    var salt: [UInt8]
    var nonce: [UInt8]

    /// Whether these are accepted from a file, which may be hostile: at most 1 GiB of memory.
    var isAcceptable: Bool {
      n > 1 && n.nonzeroBitCount == 1 && n <= 1 << 20 && (1...8).contains(r) && (1...16).contains(p)
        && (16...64).contains(salt.count) && nonce.count == 12
    }
  }

  package static func encrypt(_ document: [UInt8], passphrase: Secret) throws(EncryptionError) -> [UInt8] {
    var random = [UInt8](repeating: 0, count: 28)
    guard unsafe RAND_bytes(&random, 28) == 1 else { throw .failed("RAND_bytes") }
    let parameters = Parameters(salt: Array(random[..<16]), nonce: Array(random[16...]))
    let header = header(parameters)
    let key = try key(from: passphrase, parameters)
    return header + (try seal(document, key: key, nonce: parameters.nonce, header: header))
  }

  /// - Throws: `.wrongPassphrase`, which can also mean that the file has been changed.
  package static func decrypt(_ file: [UInt8], passphrase: Secret) throws(EncryptionError) -> [UInt8] {
    let (parameters, header) = try readHeader(file)
    let content = file[header.count...]
    guard parameters.isAcceptable, content.count >= tagLength else { throw .unknownFormat }
    let key = try key(from: passphrase, parameters)
    return try open(
      Array(content.dropLast(tagLength)), tag: Array(content.suffix(tagLength)), key: key, nonce: parameters.nonce,
      header: header)
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
    var numbers: [String: UInt64] = [:]
    do {
      var cursor = JSONCursor(Array(file[first.count..<end]), maximalDepth: 4)
      try cursor.members { json, name in
        switch try json.peek() {
        case .string: texts[name.text] = try json.string()
        case .number: numbers[name.text] = UInt64(exactly: try json.integer())
        default: try json.skip()
        }
      }
      try cursor.end()
    } catch { throw .unknownFormat }
    guard texts["kdf"] == "scrypt", texts["cipher"] == "aes-256-gcm", let n = numbers["n"], let r = numbers["r"],
      let p = numbers["p"], let salt = texts["salt"].flatMap(Hexadecimal.bytes),
      let nonce = texts["nonce"].flatMap(Hexadecimal.bytes)
    else { throw .unknownFormat }
    return (Parameters(n: n, r: r, p: p, salt: salt, nonce: nonce), Array(file[...end]))
  }

  // MARK: OpenSSL

  /// The 32-byte key (`EVP_PBE_scrypt(3)`).
  static func key(from passphrase: Secret, _ parameters: Parameters) throws(EncryptionError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
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

  /// The ciphertext followed by the tag (`EVP_EncryptInit(3)`).
  private static func seal(
    _ document: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]
  ) throws(EncryptionError) -> [UInt8] {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .failed("EVP_CIPHER_CTX_new") }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var (sealed, tag) = ([UInt8](repeating: 0, count: document.count), [UInt8](repeating: 0, count: tagLength))
    var count: Int32 = 0
    guard unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      unsafe EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
      unsafe EVP_EncryptUpdate(context, &sealed, &count, document, Int32(document.count)) == 1,
      unsafe EVP_EncryptFinal_ex(context, nil, &count) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
    else { throw .failed("EVP_Encrypt") }
    return sealed + tag
  }

  private static func open(
    _ sealed: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]
  ) throws(EncryptionError) -> [UInt8] {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .failed("EVP_CIPHER_CTX_new") }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var (document, tag) = ([UInt8](repeating: 0, count: sealed.count), tag)
    var count: Int32 = 0
    guard unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      unsafe EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
      unsafe EVP_DecryptUpdate(context, &document, &count, sealed, Int32(sealed.count)) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
    else { throw .failed("EVP_Decrypt") }
    guard unsafe EVP_DecryptFinal_ex(context, nil, &count) == 1 else { throw .wrongPassphrase }
    return document
  }
}

/// A document could not be encrypted or decrypted.
package enum EncryptionError: Error, Sendable, Hashable {
  /// The passphrase is wrong, or the file has been changed.
  case wrongPassphrase
  /// The file is not encrypted in this format, or uses parameters that this version does not accept.
  case unknownFormat
  /// An OpenSSL function failed.
  case failed(String)
}
