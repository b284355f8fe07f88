import Glibc
import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// Numbers at the ends of their range, from servers and in damaged files, as a user meets them.
@Suite("Hostile numbers", .timeLimit(.minutes(4))) struct HostileNumbersTests {
  // MARK: A server's limits

  @Test(
    "Implausible limits of a server are ignored: a post with a link and a picture is published",
    arguments: [
      (#""characters_reserved_per_url":23"#, "9223372036854775807"),
      (#""characters_reserved_per_url":23"#, "100000000"),
      (#""max_characters":500"#, "-1"), (#""max_characters":500"#, "9223372036854775807"),
      (#""max_media_attachments":4"#, "9223372036854775807"), (#""image_size_limit":16777216"#, "0"),
      (#""image_size_limit":16777216"#, "9223372036854775807"),
    ])
  func limits(stated: String, hostile: String) async throws {
    let fixture = try await PostingHome(scopes: "write")
    let picture = try fixture.home.file("p.png", PostFile.picture())
    fixture.replace(stated, by: hostile)
    let outcome = try await fixture.post(
      "ann", "See https://example.org/a/long/path", "--media", picture, "--alt", "Waves")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(fixture.published == ["See https://example.org/a/long/path"])
  }

  @Test("An implausible limit does not end a service that starts with a planned post; other posts are sent")
  func limitsAtStart() async throws {
    let fixture = try await PostingHome()
    let later = try await fixture.post("ann", "Planned: https://example.org", "--at", "20h")
    #expect(later.code == 0, "\(later.error)")
    fixture.replace(#""characters_reserved_per_url":23"#, by: "9223372036854775807")
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await fixture.post("ann", "Now: https://example.org").code == 0)
    #expect(fixture.published == ["Now: https://example.org"])
    #expect(await daemon.stop().outcome.code == 0, "\(daemon.log)")
  }

  // MARK: Damaged records of posts

  /// Changes to a record of a post that waits for its time.
  private static let damages: [[String: String]] = [
    ["created_at": "9223372036854775807"], ["post_at": "9223372036854775807"], ["post_at": "-9223372036854775808"],
    ["number": "9223372036854775807"], ["since": "-9223372036854775808"], ["failures": "9223372036854775807"],
    [
      "state": #""sending""#, "first_at": "-9223372036854775808", "attempts": "1", "retry_at": "0",
      "key_seconds": "3600",
      "known_before": "[]", "post_at": "null",
    ],
    [
      "state": #""sending""#, "first_at": "1795694400000", "attempts": "1", "retry_at": "0",
      "key_seconds": "9223372036854775807", "known_before": "[]", "post_at": "null",
    ],
    [
      "schema": "2",
      "media": """
      [{"path": "/p.png", "fingerprint": "1:2:3:4", "size": 9223372036854775807, "type": "image/png", "stage": "missing"},
       {"path": "/p.png", "fingerprint": "1:2:3:4", "size": 9223372036854775807, "type": "image/png", "stage": "missing"}]
      """,
    ],
  ]

  @Test(
    "Damaged post records are moved aside and named; the service starts, sends the other posts and nothing twice",
    arguments: [true, false])
  func outboxRecords(withService: Bool) async throws {
    let fixture = try await PostingHome()
    #expect(try await fixture.post("ann", "Planned.", "--at", "20h").code == 0)
    let folder = "\(fixture.home.path)/data/homeline/ann/outbox"
    let record = try #require(try Folder.names(in: folder).first { $0.hasSuffix(".json") })
    let text = try fixture.home.read("\(folder)/\(record)")
    // A copy without damage is a separate post.
    try fixture.home.writeJSON(text, changing: [:], to: "\(folder)/out-4k7m2p9xqk.json")
    for (index, damage) in Self.damages.enumerated() {
      let id = "out-4k7m2p9xq" + ["a", "b", "c", "d", "e", "f", "g", "h", "j"][index]
      try fixture.home.writeJSON(text, changing: damage, to: "\(folder)/\(id).json")
    }
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let sent = try await fixture.post("ann", "Now.")
    #expect(sent.code == 0, "\(sent.error)")
    let outbox = try await fixture.home.run("outbox")
    #expect(
      outbox.code == 0
        && outbox.output.split(separator: "\n").count { $0.contains(" queued ") && $0.contains("\"Planned.\"") } == 2,
      "\(outbox.output)\(outbox.error)")
    let lines = outbox.error.split(separator: "\n").filter { $0.contains("is damaged") }
    #expect(lines.count == Self.damages.count, "\(outbox.error)")
    #expect(lines.allSatisfy { $0.contains("\(folder)/out-4k7m2p9xq") && $0.contains(".json.corrupt-") })
    #expect(fixture.published == ["Now."])
    if let daemon { #expect(await daemon.stop().outcome.code == 0, "\(daemon.log)") }
  }

  // MARK: Times of a drive

  @Test(
    "A file with an invalid time is listed, refreshed and exported like the others",
    arguments: [
      ("9223372036854775807", nil), ("100000000000000000", nil), ("-9223372036854775808", nil), ("253402300800", nil),
      ("1795694400000", "2026-11-26T12:00:00Z"), (#""9223372036854775807""#, nil),
    ] as [(String, String?)])
  func driveTimes(value: String, expected: String?) async throws {
    let server = try SandboxServer(GokuaiSandbox())
    defer { server.stop() }
    let home = try TestInstallation()
    try home.configure(
      """
      { "accounts": { "disk": { "provider": "gokuai", "server": "\(server.baseURL)", "publish": ["atom", "jsonl"],
        "client_id": "\(GokuaiKeys.clientID)", "client_secret": "\(GokuaiKeys.clientSecret)" } } }
      """)
    try await #require(home.run("drive", "mkdir", "disk:docs", "disk:other").code == 0)
    for call in ["ls", "info", "updates"] {
      server.withFaults {
        $0.add(.change { Self.replaceTime(of: "docs", by: value, in: &$0) }, to: "/m-open/1/file/\(call)", times: 100)
      }
    }
    let list = try await home.run("drive", "ls", "disk:")
    #expect(list.code == 0 && list.output.contains("other/"), "\(list.output)\(list.error)")
    #expect(list.output.contains("\(expected ?? "?                   ") docs/"), "\(list.output)")
    let json = try await home.run("drive", "ls", "--json", "disk:")
    let entries = try JSONValue(Array(json.output.utf8))["entries"].items
    #expect(entries.first { $0["name"].text == "docs" }?["changed_at"].text == expected, "\(json.output)")
    let information = try await home.run("drive", "info", "disk:docs")
    #expect(information.output.contains("changed: \(expected ?? "?")\n"), "\(information.output)\(information.error)")
    let refresh = try await home.run("refresh", "disk")
    #expect(refresh.code == 0, "\(refresh.error)")
    let shown = try await home.run("show", "disk")
    #expect(shown.code == 0 && shown.output.contains("docs/") && shown.output.contains("other/"), "\(shown.error)")
    let export = try await home.run("export", "disk")
    #expect(export.code == 0, "\(export.error)")
    let file = "\(home.path)/archive.jsonl"
    try home.write(export.output, to: file)
    let again = try await home.run("import", file)
    #expect(again.code == 0, "\(again.error)")
  }

  @Test("A server's hostile numbers do not end the service, and accounts on other servers are still refreshed")
  func neighbours() async throws {
    let hostile = try SandboxServer(GokuaiSandbox())
    let sound = try SandboxServer(GokuaiSandbox())
    defer {
      hostile.stop()
      sound.stop()
    }
    let home = try TestInstallation()
    let accounts = [("bad", hostile), ("good", sound)].map { name, server in
      """
      "\(name)": { "provider": "gokuai", "server": "\(server.baseURL)",
        "client_id": "\(GokuaiKeys.clientID)", "client_secret": "\(GokuaiKeys.clientSecret)" }
      """
    }
    try home.configure(#"{ "accounts": { \#(accounts.joined(separator: ",")) } }"#)
    for name in ["bad", "good"] {
      let made = try await home.run("drive", "mkdir", "\(name):first")
      try #require(made.code == 0, "\(made.error)")
    }
    let count = Locked(0)
    hostile.withFaults {
      $0.add(
        .change { response in
          let documents = HostileNumbers.documents(from: response.body).filter {
            $0.change.hasSuffix("9223372036854775807")
          }
          guard !documents.isEmpty else { return }
          // Each response has its number in another place.
          let number = count.withLock { count in
            count += 1
            return count
          }
          response.body = documents[number * 7 % documents.count].bytes
        }, to: "/m-open/1/file/updates", times: 1000)
    }
    let daemon = try await RunningDaemon(home)
    for round in 1...5 {
      try await #require(home.run("drive", "mkdir", "bad:b\(round)", "bad:c\(round)").code == 0)
      try await #require(home.run("drive", "mkdir", "good:g\(round)").code == 0)
      let bad = try await home.run("refresh", "bad")
      #expect([0, 69].contains(bad.code), "\(bad.error)")
      let good = try await home.run("refresh", "good")
      #expect(good.code == 0, "\(good.error)")
      let shown = try await home.run("show", "good")
      #expect(shown.output.contains("g\(round)/"), "\(shown.output)\(shown.error)")
    }
    #expect(await daemon.stop().outcome.code == 0, "\(daemon.log)")
  }

  private static func replaceTime(of folder: String, by value: String, in response: inout Response) {
    var text = String(decoding: response.body, as: UTF8.self)
    guard let name = text.firstRange(of: #""fullpath":"\#(folder)""#),
      let member = text[name.upperBound...].firstRange(of: #""last_dateline":"#)
    else { return }
    let end = text[member.upperBound...].firstIndex { !$0.isNumber } ?? text.endIndex
    text.replaceSubrange(member.upperBound..<end, with: value)
    response.body = Array(text.utf8)
  }
}

extension PostingHome {
  /// Changes a member of the server's description of itself.
  fileprivate func replace(_ member: String, by value: String) {
    let name = member.prefix { $0 != ":" }
    server.withFaults { faults in
      faults.add(
        .change { response in
          let text = String(decoding: response.body, as: UTF8.self)
          response.body = Array(text.replacing(member, with: "\(name):\(value)").utf8)
        }, to: "/api/v2/instance", times: 100)
    }
  }
}

extension TestInstallation {
  /// Writes a JSON object with one member on each line, with other values for some members.
  fileprivate func writeJSON(_ text: String, changing members: [String: String], to path: String) throws {
    let kept = text.split(separator: "\n").filter { line in
      !members.keys.contains { line.hasPrefix("  \"\($0)\":") } && line != "{" && line != "}"
    }
    let changed = members.map { "  \"\($0.key)\": \($0.value)" }
    let lines = kept.map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) } + changed
    try AtomicFile.write(Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8), to: path, .replaced)
  }
}
