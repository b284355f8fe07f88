import Dispatch
import HTTP
import HTTPServer
import HTTPTestServer
import Platform
import TestSupport
import Testing

@testable import HTTPClient

@Suite struct DownloadTests {
  private let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
  private let content = PictureServer.content

  private func fetch(
    _ url: String, after part: DownloadPart? = nil, limit: Int = 1 << 20, redirects: Int = 3,
    allows: @escaping @Sendable (String) -> Bool = { _ in true }
  ) async -> Download.Outcome {
    let client = client
    return await withCheckedContinuation { done in
      let queue = DispatchQueue(label: "downloads")
      queue.async { @Sendable in
        let kept = QueueConfined(Locked<Download?>(nil))
        let download = Download(
          url, after: part,
          DownloadRules(byteLimit: limit, accepts: "image/png", redirects: redirects, allows: allows), by: client,
          on: queue
        ) { outcome in
          kept.value.withLock { $0 = nil }
          done.resume(returning: outcome)
        }
        kept.value.withLock { $0 = download }
      }
    }
  }

  private func part(_ count: Int, _ validator: String = PictureServer.tag.text) -> DownloadPart {
    DownloadPart(bytes: Array(content.prefix(count)), validator: validator)
  }

  @Test("a file is downloaded without compression, cookies or credentials, and arrives complete")
  func whole() async throws {
    let server = try PictureServer()
    guard case .complete(let bytes) = await fetch(server.url) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == content)
    let request = try #require(server.requests.first)
    #expect(request.headers.first("Accept") == "image/png")
    for name: FieldName in ["Accept-Encoding", "Cookie", "Authorization", "Referer", "Range", "If-Range"] {
      #expect(request.headers.first(name) == nil)
    }
  }

  @Test("an interrupted download is resumed and yields the same bytes")
  func resumed() async throws {
    let server = try PictureServer([.breakOff(after: 30_000), .breakOff(after: 20_000)])
    guard case .interrupted(let first?, let error) = await fetch(server.url) else {
      Issue.record("no data was kept")
      return
    }
    #expect(error.kind == .broken)
    #expect(first == part(30_000))
    guard case .interrupted(let second?, _) = await fetch(server.url, after: first) else {
      Issue.record("no data was kept")
      return
    }
    #expect(second == part(50_000))
    guard case .complete(let bytes) = await fetch(server.url, after: second) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == content)
    #expect(server.requests.map { $0.headers.first("Range") } == [nil, "bytes=30000-", "bytes=50000-"])
    #expect(server.requests.last?.headers.first("If-Range") == "\"v1\"")
  }

  @Test("a complete response to a range request replaces the partial download")
  func ignored() async throws {
    let server = try PictureServer([.respond(Response(status: .ok, body: [1, 2, 3]))])
    guard case .complete(let bytes) = await fetch(server.url, after: part(500)) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == [1, 2, 3])
  }

  @Test(
    "a response with an unexpected range, or with a range from another file, restarts the download only once",
    arguments: [
      ("bytes 400-99999/100000", "\"v1\""), ("bytes 500-99998/100000", "\"v1\""), ("bytes 500-99999/*", "\"v2\""),
      ("items 500-99999/100000", "\"v1\""), ("bytes 500-99999/99999", "\"v1\""), ("bytes */100000", "\"v1\""),
      (nil, "\"v1\""),
    ] as [(String?, String)])
  func another(_ range: String?, _ tag: String) async throws {
    let server = try PictureServer([.part(range: range.flatMap { FieldValue($0) }, tag: FieldValue(tag)!)])
    guard case .complete(let bytes) = await fetch(server.url, after: part(500)) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == content)
    #expect(server.requests.map { $0.headers.first("Range") } == ["bytes=500-", nil])
  }

  @Test("a download restarts if the file is now shorter than the partial download")
  func shorter() async throws {
    let server = try PictureServer(content: Array(content.prefix(400)))
    guard case .complete(let bytes) = await fetch(server.url, after: part(500)) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == Array(content.prefix(400)))
  }

  @Test("a shorter range than requested is added to the partial download")
  func unfinished() async throws {
    var response = Response(
      status: StatusCode(206), headers: ["ETag": "\"v1\"", "Content-Range": "bytes 500-599/100000"])
    response.body = Array(content[500..<600])
    let server = try PictureServer([.respond(response)])
    guard case .unfinished(let next) = await fetch(server.url, after: part(500)) else {
      Issue.record("the part was accepted as the complete file")
      return
    }
    #expect(next == part(600))
  }

  @Test("without a strong validator, no partial download is kept", arguments: ["W/\"weak\"", nil])
  func noValidator(_ tag: String?) async throws {
    var headers = HeaderFields()
    if let tag = tag.flatMap({ FieldValue($0) }) { headers.set("ETag", tag) }
    headers.set("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(headers.strongValidator == nil)
    headers.set("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(headers.strongValidator == nil)
    headers.set("Date", "Sun, 06 Nov 1994 08:55:37 GMT")
    // A weak entity tag counts as an entity tag, so the date is not used (RFC 9110 §13.1.5).
    #expect(headers.strongValidator == (tag == nil ? "Sun, 06 Nov 1994 08:49:37 GMT" : nil))
  }

  @Test("a download that exceeds the limit is refused, whether it is sent whole or in parts")
  func tooLarge() async throws {
    let server = try PictureServer()
    guard case .refused(let whole) = await fetch(server.url, limit: 99_999) else {
      Issue.record("the download was accepted")
      return
    }
    #expect(whole.contains("too large"))
    guard case .refused = await fetch(server.url, after: part(60_000), limit: 99_999) else {
      Issue.record("the download was accepted")
      return
    }
  }

  @Test("a download with an unrequested content coding is refused")
  func coded() async throws {
    let server = try PictureServer([
      .respond(Response(status: .ok, headers: ["Content-Encoding": "br"], body: [1, 2, 3]))
    ])
    guard case .refused = await fetch(server.url) else {
      Issue.record("the download was accepted")
      return
    }
  }

  @Test("a download follows three redirects but not a fourth, and each location is relative to the redirecting URL")
  func redirects() async throws {
    let server = try PictureServer()
    func to(_ location: String) -> PictureServer.Turn {
      .respond(Response(status: .found, headers: ["Location": FieldValue(location)!]))
    }
    let near = try PictureServer([to("/a?b=1#c"), to("d"), to(server.url)])
    guard case .complete(let bytes) = await fetch(near.url) else {
      Issue.record("the file did not arrive")
      return
    }
    #expect(bytes == content)
    #expect(near.requests.map(\.target.raw) == ["/picture", "/a?b=1", "/d"])
    let far = try PictureServer([to("/1"), to("/2"), to("/3"), to("/4")])
    guard case .refused(let why) = await fetch(far.url) else {
      Issue.record("the redirects were followed without a limit")
      return
    }
    #expect(far.requests.count == 4)
    #expect(why.contains("redirected"))
  }

  @Test("a download requests no URL that the rules forbid, either directly or after a redirect")
  func forbidden() async throws {
    let inner = try PictureServer()
    let outer = try PictureServer([
      .respond(Response(status: StatusCode(301), headers: ["Location": FieldValue(inner.url)!]))
    ])
    let innerURL = inner.url
    guard case .refused = await fetch(outer.url, allows: { $0 != innerURL }) else {
      Issue.record("the forbidden URL was requested")
      return
    }
    guard case .refused = await fetch(inner.url, allows: { $0 != innerURL }) else {
      Issue.record("the forbidden URL was requested")
      return
    }
    #expect(outer.requests.count == 1)
    #expect(inner.requests.isEmpty)
  }

  @Test(
    "a download's redirect to an invalid location is refused",
    arguments: ["", "ftp://127.0.0.1/x", "https://user:word@127.0.0.1/", "http://[", "file:///etc/passwd"])
  func nowhere(_ location: String) async throws {
    var headers = HeaderFields()
    headers.set("Location", FieldValue(location)!)
    let server = try PictureServer([.respond(Response(status: .seeOther, headers: headers))])
    let outcome = await fetch(server.url, redirects: 1, allows: { $0.hasPrefix("http://127.0.0.1") })
    if case .complete = outcome, !location.isEmpty { Issue.record("a file arrived from \(location)") }
  }

  @Test(
    "a download whose response has an unexpected status is refused with a reason", arguments: [404, 410, 500, 204])
  func refused(_ status: Int) async throws {
    let server = try PictureServer([.respond(Response(status: StatusCode(status)))])
    guard case .refused(let why) = await fetch(server.url) else {
      Issue.record("the download was accepted")
      return
    }
    #expect(why.contains(String(status)))
  }

  @Test("a cancelled download keeps the data received so far")
  func givenUp() async throws {
    // The connection stays open for longer than the test waits.
    let server = try TestServer()
    let came = DispatchSemaphore(value: 0)
    let client = client
    let url = "http://127.0.0.1:\(server.port)/keep"
    let outcome = await withCheckedContinuation { done in
      let queue = DispatchQueue(label: "downloads")
      queue.async { @Sendable in
        let rules = DownloadRules(byteLimit: 1 << 20, accepts: "image/png", redirects: 0, allows: { _ in true })
        let download = Download(url, after: nil, rules, by: client, on: queue) { done.resume(returning: $0) }
        let stream = server.nextKept().stream(Response(status: .ok, headers: ["ETag": "\"v1\""]))
        stream.write([1, 2, 3])
        let box = QueueConfined((download, stream))
        // This delay gives the three bytes time to arrive. Without them there is no partial download, and the test
        // fails.
        queue.asyncAfter(deadline: .now() + .milliseconds(500)) { @Sendable in
          box.value.0.cancel()
          came.signal()
        }
      }
    }
    guard case .interrupted(let part?, let error) = outcome else {
      Issue.record("no data was kept: \(outcome)")
      return
    }
    #expect(error.kind == .cancelled)
    #expect(part == DownloadPart(bytes: [1, 2, 3], validator: "\"v1\""))
  }

  @Test("no size in a response ends the program or becomes part of a file", arguments: HostileNumbers.texts)
  func sizes(text: String) {
    let earlier = DownloadPart(bytes: [], validator: "\"v1\"")
    for range in ["bytes 0-\(text)/*", "bytes 0-\(text)/\(text)", "bytes \(text)-\(text)/*"] {
      let response = Response(
        status: StatusCode(206), headers: ["Content-Range": FieldValue(range) ?? "x", "ETag": "\"v1\""],
        body: [1, 2, 3])
      let part = DownloadPart(response, after: earlier)
      #expect(part == nil || part?.bytes == [1, 2, 3], "\(range)")
    }
  }

  @Test("Content-Range is parsed strictly")
  func ranges() {
    #expect(ContentRange("bytes 0-499/1234")?.total == 1234)
    #expect(ContentRange("Bytes 5-5/*").map { [$0.first, $0.last] } == [5, 5])
    for text in [
      "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes -1-5/9", "bytes 0-/5", "bytes a-b/c", "bytes 0-4",
      "bytes=0-4/5",
      "bytes 0-4/5/6", "bytes +0-4/5", "bytes 0-99999999999999999999/100000000000000000000",
      "bytes 0-9223372036854775807/*", "bytes 9223372036854775806-9223372036854775807/*", "bytes --1-5/9",
    ] { #expect(ContentRange(text) == nil) }
  }
}
