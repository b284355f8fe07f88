import Cryptography
import Testing

@testable import Keyring

/// Ciphers, checked with published test vectors.
struct CiphersTests {
  @Test("AES-256-GCM yields the ciphertext and tag of the specification's test case 16")
  func publishedVector() throws {
    let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let nonce = hex("cafebabefacedbaddecaf888")
    let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let message = hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
        + "ba637b39")
    let sealed = try AES256GCM.seal(message, key: key, nonce: nonce, authenticating: data)
    #expect(
      sealed
        == hex(
          "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a"
            + "bcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"))
    #expect(try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: data) == message)
  }

  @Test("a changed ciphertext, tag, nonce, key or associated data is refused")
  func changes() throws {
    let key = try RandomBytes.generate(32)
    let nonce = try RandomBytes.generate(12)
    let sealed = try AES256GCM.seal(Array("token".utf8), key: key, nonce: nonce, authenticating: [1, 2])
    func changed(_ bytes: [UInt8], at index: Int) -> [UInt8] {
      var bytes = bytes
      bytes[index] ^= 1
      return bytes
    }
    for index in sealed.indices {
      #expect(throws: CryptographyError.self) {
        try AES256GCM.open(changed(sealed, at: index), key: key, nonce: nonce, authenticating: [1, 2])
      }
    }
    for (key, nonce, data) in [
      (changed(key, at: 3), nonce, [1, 2]), (key, changed(nonce, at: 3), [1, 2]), (key, nonce, [UInt8]([1, 3])),
    ] {
      #expect(throws: CryptographyError.self) {
        try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: data)
      }
    }
    for size in 0..<16 {
      #expect(throws: CryptographyError.self) {
        try AES256GCM.open(Array(sealed.prefix(size)), key: key, nonce: nonce, authenticating: [1, 2])
      }
    }
  }

  @Test("AES-128-CBC yields the ciphertext of RFC 3602 §4, case 1, followed by a block of padding")
  func blockChaining() throws {
    let key = hex("06a9214036b8a15b512e03d534120006")
    let nonce = hex("3dafba429d9eb430b422da802c9fac41")
    let sealed = try AES128CBC.encrypt(Array("Single block msg".utf8), key: key, nonce: nonce)
    #expect(sealed.count == 32)
    #expect(Array(sealed.prefix(16)) == hex("e353779c1079aeb82708942dbe77181a"))
    #expect(try AES128CBC.decrypt(sealed, key: key, nonce: nonce) == Array("Single block msg".utf8))
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 >= 97 ? $0 - 87 : $0 - 48) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
