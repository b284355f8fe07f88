import Dispatch
import HTTPClient
import Platform
import TestSupport
import Testing

/// Transfers that fail. The received data is kept if the download can be resumed, and partial data is never treated as
/// the complete file.
@Suite("Failed downloads") struct DownloadFaultTests {
  private func fetch(_ url: String, total: Duration = .seconds(60)) async -> Download.Outcome {
    var policy = ClientPolicy(userAgent: "homeline-test", environment: [:])
    policy.totalTimeout = total
    let client = Client(policy: policy)
    return await withCheckedContinuation { done in
      let queue = DispatchQueue(label: "downloads")
      queue.async { @Sendable in
        let kept = QueueConfined(Locked<Download?>(nil))
        let rules = DownloadRules(byteLimit: 1 << 16, accepts: "image/png", redirects: 3, allows: { _ in true })
        let download = Download(url, after: nil, rules, by: client, on: queue) { outcome in
          kept.value.withLock { $0 = nil }
          done.resume(returning: outcome)
        }
        kept.value.withLock { $0 = download }
      }
    }
  }

  private static func head(_ fields: String...) -> RawServer.Step {
    .text("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n")
  }

  /// Responses that break off after three bytes.
  static let broken: [(String, [RawServer.Step])] = [
    ("closed", [head("Content-Length: 9"), .send([1, 2, 3])]),
    ("cut off within a chunk", [head("Transfer-Encoding: chunked"), .text("3\r\n\u{1}\u{2}\u{3}\r\n9\r\n")]),
    ("stalled", [head("Content-Length: 9"), .send([1, 2, 3]), .stall]),
  ]

  @Test("the data received before a transfer breaks off is kept as a partial download", arguments: broken)
  func interrupted(_ name: String, _ steps: [RawServer.Step]) async throws {
    let server = try RawServer { _ in steps }
    guard case .interrupted(let part?, let error) = await fetch(server.base, total: .milliseconds(1000)) else {
      Issue.record("no data was kept")
      return
    }
    #expect(error.kind == (name == "stalled" ? .timedOut : .broken))
    #expect(part == DownloadPart(bytes: [1, 2, 3], validator: "\"v1\""))
  }

  @Test(
    "a transfer that breaks off before the first byte leaves no partial download",
    arguments: [[RawServer.Step.reset], [.text("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n"), .reset], [.send([1, 2, 3])]])
  func nothing(_ steps: [RawServer.Step]) async throws {
    let server = try RawServer { _ in steps }
    guard case .interrupted(nil, _) = await fetch(server.base) else {
      Issue.record("data was kept")
      return
    }
  }

  @Test("a download with an endless body is stopped at the limit and refused")
  func endless() async throws {
    let server = try RawServer { _ in [Self.head(), .flood([UInt8](repeating: 7, count: 4096), bytes: 1 << 40)] }
    guard case .refused(let why) = await fetch(server.base) else {
      Issue.record("the download was accepted")
      return
    }
    #expect(why.contains("too large"))
  }

  @Test("a download in a redirect loop is stopped after three redirects")
  func redirects() async throws {
    let asked = Locked(0)
    let server = try RawServer { _ in
      asked.withLock { $0 += 1 }
      return [.text("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")]
    }
    guard case .refused = await fetch(server.base) else {
      Issue.record("the redirects were followed without a limit")
      return
    }
    #expect(asked.withLock { $0 } == 4)
  }
}
