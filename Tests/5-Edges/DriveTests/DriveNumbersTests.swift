import HomelineOAuth
import TestSupport
import Testing
import Time

@testable import Drive

/// Responses of a drive whose numbers are at and beyond the ends of every range, and whose texts are long.
@Suite("Hostile numbers from a drive") struct DriveNumbersTests {
  private static let entry = """
    {"hash":"h1","dir":0,"fullpath":"in/memo.txt","filename":"memo.txt",
     "filehash":"2ef7bde608ce5404e97d5f042f95f89f1c232871","filesize":12,"create_member_name":"Kim",
     "create_dateline":1795690000,"last_member_name":"Kim","last_dateline":1795694400}
    """

  private func response(_ body: [UInt8], status: Int = 200) -> DriveResponse {
    DriveResponse(status: status, body: body, hiding: .nothing)
  }

  private func entry(_ members: String) throws -> DriveEntry {
    try DriveEntry(response(Array("{\(members)}".utf8)))
  }

  @Test("no number in a response ends the program, and sizes and times stay in their ranges")
  func responses() {
    let bodies = [
      Self.entry, #"{"fetch_dateline":1795694400123,"list":[\#(Self.entry)]}"#,
      #"{"uris":["https://a.example/x"],"filehash":"aa","filesize":12}"#,
      #"{"state":1,"hash":"h1","server":"https://a.example"}"#, #"{"error_code":40101,"error_msg":"expired"}"#,
      #"[{"mount_id":7,"org_name":"a"}]"#, #"{"org_client_id":5,"org_client_secret":"s"}"#,
    ]
    for body in bodies {
      for (change, bytes) in HostileNumbers.documents(from: Array(body.utf8)) {
        let response = response(bytes)
        var entries = (try? DriveListing(response))?.entries ?? []
        if let entry = try? DriveEntry(response) { entries.append(entry) }
        if let changes = try? DriveChanges(response) {
          entries += changes.changes.map(\.entry)
          #expect(changes.next.map { $0.rfc3339.utf8.count == 20 } ?? true, "\(change)")
        }
        for entry in entries {
          #expect(entry.size.map { DriveEntry.sizes.contains($0) } ?? true, "\(change)")
          #expect(
            [entry.changed, entry.created].allSatisfy { $0.map { $0 > Timestamp(seconds: 0) } ?? true }, "\(change)")
        }
        let size = (try? DriveLocation(response))?.size
        #expect(size.map { DriveEntry.sizes.contains($0) } ?? true, "\(change)")
        _ = try? CreatedFile(response)
        _ = try? DriveLibrary.list(response)
        _ = try? DriveBinding(response)
        _ = DriveResponse(status: 500, body: bytes, hiding: .nothing).failure
      }
    }
  }

  @Test("no offset that an upload server reports ends the program", arguments: HostileNumbers.texts)
  func offsets(text: String) {
    let session = BlockUpload.Session(server: "https://a.example", id: "s")
    for size in [0, 10, DriveEntry.sizes.upperBound] {
      var upload = BlockUpload(size: size, blockSize: 4 << 20, resuming: session)
      upload.handle(response(Array(text.utf8)))
      if case .send = upload.step { upload.handle(response(Array(#"{"expect":\#(text)}"#.utf8), status: 409)) }
      #expect((0...size).contains(upload.confirmed))
    }
  }

  @Test("times in milliseconds are recognised, and invalid times are unknown")
  func times() throws {
    #expect(try entry(#""fullpath":"a","last_dateline":1795694400000"#).changed?.rfc3339 == "2026-11-26T12:00:00Z")
    #expect(try entry(#""fullpath":"a","last_dateline":"1795694400""#).changed?.rfc3339 == "2026-11-26T12:00:00Z")
    for value in ["253402300800", "-1", "0", "1e308", "100000000000000000", "true"] {
      #expect(try entry(#""fullpath":"a","last_dateline":\#(value)"#).changed == nil, "\(value)")
    }
  }

  @Test("overlong ids, names and addresses are unknown, and an entry with an overlong path is left out")
  func longTexts() throws {
    let long = String(repeating: "x", count: 10_000)
    let read = try entry(
      #""fullpath":"a","hash":"\#(long)","last_member_name":"\#(long)","link":"https://a.example/\#(long)""#)
    #expect(read.id == nil && read.changedBy == nil && read.link == nil && read.path == "a")
    let list = try DriveListing(
      response(Array(#"{"list":[{"fullpath":"\#(long)"},{"fullpath":"a"}]}"#.utf8)))
    #expect(list.entries.map(\.path) == ["a"] && list.count == 2)
  }
}
