import TestSupport
import Testing

@testable import Drive

@Suite struct ChecksumTests {
  @Test("the computed checksums of files match those in the vectors", arguments: DriveVectors.published.files)
  func vectors(vector: DriveVectors.File) throws {
    let digits = Array((vector.bytesHex ?? String(repeating: "00", count: vector.size)).utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)!
    }
    var crc = CRC32()
    crc.update(bytes)
    #expect("\(crc.value)" == vector.crc32Decimal)
    var hash = try SHA1State()
    hash.update(bytes)
    let digest = hash.finish()
    #expect(digest == vector.sha1)
  }

  @Test("a file's checksums do not depend on the size of the pieces that are read")
  func pieces() throws {
    var random = SeededGenerator(seed: 7)
    let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var whole = CRC32()
    whole.update(bytes)
    var crc = CRC32()
    var hash = try SHA1State()
    var all = try SHA1State()
    all.update(bytes)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...37, using: &random))
      crc.update(Array(bytes[start..<end]))
      hash.update(Array(bytes[start..<end]))
      start = end
    }
    #expect(crc.value == whole.value)
    let (digest, expected) = (hash.finish(), all.finish())
    #expect(digest == expected)
  }
}

extension CRC32 {
  fileprivate mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }
}
