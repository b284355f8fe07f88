import Cryptography
import Folders
import Glibc
import Platform
import TestSupport
import Testing

@testable import Web

@Suite("Pictures on the web page") struct PicturePagesTests {
  /// Stores a picture of this size, and returns its path on the page.
  private func store(_ size: Int, _ fixture: WebFixture) throws -> (path: String, file: String, bytes: [UInt8]) {
    let bytes = [0xFF, 0xD8, 0xFF] + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let hash = try SHA256.digest(of: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let folder = "\(fixture.layout.mediaFolder)/\(hash.prefix(2))"
    try Folder.create(folder)
    try AtomicFile.write(bytes, to: "\(folder)/\(hash).jpg", .replaced)
    return ("/m/\(hash.prefix(2))/\(hash).jpg", "\(folder)/\(hash).jpg", bytes)
  }

  @Test("A stored picture never changes under its address; one that is gone is not found")
  func stored() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let (path, file, bytes) = try store(1 << 20, fixture)
    let answer = try fixture.send(path, [cookie])
    #expect(answer.status == 200 && answer.body == bytes)
    #expect(answer.field("Content-Type") == "image/jpeg")
    #expect(answer.field("Cache-Control") == "private, max-age=31536000, immutable")
    #expect(answer.field("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
    let tag = try #require(answer.field("ETag"))
    #expect(try fixture.send(path, [cookie, "If-None-Match: \(tag)"]).status == 304)
    #expect(try fixture.send(path).status == 403)
    #expect(try fixture.send(path, [cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Dest: image"]).status == 403)
    try File.remove(file)
    #expect(try fixture.send(path, [cookie]).status == 404)
  }

  @Test("Nothing but stored pictures can be read", arguments: ["index.db", "lock", "part"])
  func others(name: String) throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let (path, file, bytes) = try store(10, fixture)
    try AtomicFile.write([1], to: "\(fixture.layout.mediaFolder)/\(name)", .replaced)
    let hash = path.split(separator: "/")[2]
    for wrong in [
      "/m/\(name)", "/m/../\(name)", "/m/%2e%2e/token.json", "/m/ab/..%2f\(name)", "/m/zz/\(hash)",
      "/m/\(hash.prefix(2))/\(hash)x",
      "/m/\(hash.prefix(2))//\(hash)", "/m/\(hash.prefix(2))/\(hash)%00", "/m/\(hash.prefix(2))/\(hash.uppercased())",
      "/m",
      "/m/\(hash.prefix(2))/" + String(repeating: "a", count: 8000),
    ] {
      #expect([404, 414].contains(try fixture.send(wrong, [cookie]).status), "\(wrong)")
    }
    // A link or a FIFO in place of a picture is not read.
    try File.remove(file)
    #expect(mkfifo(file, 0o600) == 0)
    #expect(try fixture.send(path, [cookie]).status == 503)
    withExtendedLifetime(bytes) {}
  }
}
