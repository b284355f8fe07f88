import Bytes
import TestSupport
import Testing

@testable import Backup

@Suite struct PassphraseEncryptionTests {
  private let document = Array("a token that nobody may read".utf8)
  private let passphrase = Secret("correct horse battery")

  @Test("an encrypted document can be decrypted only with its passphrase")
  func roundTrip() throws {
    let file = try PassphraseEncryption.encrypt(document, passphrase: passphrase)
    #expect(try PassphraseEncryption.decrypt(file, passphrase: passphrase) == document)
    #expect(throws: EncryptionError.wrongPassphrase) {
      try PassphraseEncryption.decrypt(file, passphrase: Secret("correct horse batterz"))
    }
    // Encrypting a document again yields a different file.
    #expect(try PassphraseEncryption.encrypt(document, passphrase: passphrase) != file)
  }

  @Test("a change to any part of an encrypted document is detected", arguments: [21, 40, 200, -17, -1])
  func changed(position: Int) throws {
    var file = try PassphraseEncryption.encrypt(document, passphrase: passphrase)
    file[position < 0 ? file.count + position : position] ^= 1
    #expect(throws: EncryptionError.self) { try PassphraseEncryption.decrypt(file, passphrase: passphrase) }
  }

  @Test(
    "an empty file and a file with a truncated or invalid header are refused",
    arguments: ["", "homeline-encrypted 1\n", "homeline-encrypted 1\n{}\n"])
  func foreign(text: String) {
    #expect(throws: EncryptionError.unknownFormat) {
      try PassphraseEncryption.decrypt(Array(text.utf8), passphrase: passphrase)
    }
  }

  @Test("no number in the head of an encrypted file or in a manifest ends the program")
  func numbers() {
    let zeros = String(repeating: "0", count: 32)
    let head =
      #"{"kdf":"scrypt","n":2,"r":1,"p":1,"salt":"\#(zeros)","cipher":"aes-256-gcm","nonce":"\#(zeros.prefix(24))"}"#
    for (change, bytes) in HostileNumbers.documents(from: Array(head.utf8)) {
      let file = Array("homeline-encrypted 1\n".utf8) + bytes + Array("\n".utf8) + [UInt8](repeating: 0, count: 32)
      #expect(throws: EncryptionError.self, "\(change)") {
        try PassphraseEncryption.decrypt(file, passphrase: passphrase)
      }
    }
    let manifest = #"{"schema":2,"version":"1","created_at":"x","tokens":true,"files":[{"path":"a","size":5}]}"#
    for (change, bytes) in HostileNumbers.documents(from: Array(manifest.utf8)) {
      guard let read = try? BackupManifest(json: bytes) else { continue }
      #expect(read.files.allSatisfy { $0.size >= 0 && $0.size <= 1 << 53 }, "\(change)")
    }
  }

  private func decrypt(n: String, r: String, p: String) throws {
    let salt = String(repeating: "0", count: 32)
    let header =
      #"{"kdf":"scrypt","n":\#(n),"r":\#(r),"p":\#(p),"salt":"\#(salt)","cipher":"aes-256-gcm","nonce":"000000000000000000000000"}"#
    let file = Array("homeline-encrypted 1\n\(header)\n".utf8) + [UInt8](repeating: 0, count: 40)
    _ = try PassphraseEncryption.decrypt(file, passphrase: passphrase)
  }

  @Test(
    "key parameters that would take too much memory or time are refused before the key is derived",
    arguments: [
      ("1073741824", "8", "1"), ("524288", "8", "1"), ("131072", "9", "1"), ("2", "1073741824", "1"),
      ("131072", "8", "5"), ("2", "1", "1073741824"), ("9007199254740992", "9007199254740992", "9007199254740992"),
    ])
  func costs(n: String, r: String, p: String) {
    #expect(throws: EncryptionError.tooCostly) { try decrypt(n: n, r: r, p: p) }
  }

  @Test(
    "invalid scrypt key parameters are refused",
    arguments: [
      ("3", "8", "1"), ("0", "8", "1"), ("1", "8", "1"), ("131072", "0", "1"), ("131072", "8", "0"),
      ("1e400", "8", "1"),
    ])
  func parameters(n: String, r: String, p: String) {
    #expect(throws: EncryptionError.unknownFormat) { try decrypt(n: n, r: r, p: p) }
  }

  @Test("the derived key matches the test vector in RFC 7914, section 12")
  func vector() throws {
    let parameters = PassphraseEncryption.Parameters(n: 1024, r: 8, p: 16, salt: Array("NaCl".utf8), nonce: [])
    let key = try PassphraseEncryption.key(from: Secret("password"), parameters)
    #expect(Hexadecimal.text(key) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
  }
}
