import HTTP
import TestSupport
import Testing

@testable import Drive

@Suite struct ResumableDownloadTests {
  private func located(
    received: Int = 0, validator: String? = nil, size: Int? = 10, sha1: String? = "right"
  ) -> ResumableDownload {
    var download = ResumableDownload(received: received, validator: validator, sha1: sha1, size: size)
    download.handle(location: DriveLocation(addresses: ["a"], sha1: sha1, size: size), addresses: ["https://a"])
    return download
  }

  @Test("a new download requests the whole file and compares the hash")
  func whole() {
    var download = located()
    #expect(download.step == .request(address: "https://a", from: 0, validator: nil))
    let use = download.begin(status: 200, headers: ["ETag": "\"1\""])
    #expect(use == .startOver)
    let goesOn = download.add(10)
    #expect(goesOn)
    download.handleEnd(nil)
    #expect(download.step == .verify)
    download.handle(sha1: "right")
    #expect(download.step == .done)
  }

  @Test("an interrupted download requests the rest of the file, and accepts it only if the file has not changed")
  func resume() {
    var download = located()
    _ = download.begin(status: 200, headers: ["ETag": "\"1\""])
    _ = download.add(4)
    download.handleEnd(DriveError(.unavailable, "broken"))
    download.handleWaited()
    #expect(download.step == .request(address: "https://a", from: 4, validator: "\"1\""))
    let use = download.begin(status: 206, headers: ["Content-Range": "bytes 4-9/10", "ETag": "\"1\""])
    #expect(use == .append)
    _ = download.add(6)
    download.handleEnd(nil)
    #expect(download.step == .verify)
  }

  @Test("a download continues a partial file from an earlier run")
  func earlierRun() {
    #expect(
      located(received: 4, validator: "\"1\"").step == .request(address: "https://a", from: 4, validator: "\"1\""))
    #expect(located(received: 4).step == .request(address: "https://a", from: 4, validator: nil))
    #expect(located(received: 10).step == .verify)
    #expect(located(received: 11).step == .request(address: "https://a", from: 0, validator: nil))
    #expect(
      located(received: 4, size: 10, sha1: nil).step == .request(address: "https://a", from: 0, validator: nil))
  }

  @Test("without a network, a download fails immediately, but an interrupted one waits for the drive")
  func unavailable() {
    let failure = DriveError(.unavailable, "unreachable")
    var new = ResumableDownload(received: 4, validator: "\"1\"", sha1: "right", size: 10)
    new.handle(refused: failure)
    #expect(new.step == .failed(failure))
    var interrupted = located()
    _ = interrupted.begin(status: 403, headers: [:])
    interrupted.handleEnd(nil)
    interrupted.handleWaited()
    #expect(interrupted.step == .locate)
    interrupted.handle(refused: failure)
    #expect(interrupted.step != .failed(failure))
  }

  @Test("a download discards a partial file from another version")
  func otherVersion() {
    var download = ResumableDownload(received: 4, validator: "\"1\"", sha1: "old", size: 10)
    download.handle(location: DriveLocation(addresses: ["a"], sha1: "new", size: 10), addresses: ["https://a"])
    #expect(download.step == .request(address: "https://a", from: 0, validator: nil))
  }

  @Test("a download starts over if the server ignores the range")
  func ignoredRange() {
    var download = located(received: 4)
    let use = download.begin(status: 200, headers: [:])
    #expect(use == .startOver)
    #expect(download.received == 0)
  }

  @Test(
    "a part of the file that was not requested is not appended",
    arguments: ["bytes 3-9/10", "bytes 4-8/9", "bytes 0-9/10", "bytes */10", "nonsense", ""])
  func wrongRange(range: String) {
    var download = located(received: 4)
    var headers = HeaderFields()
    headers.append("Content-Range", FieldValue(range)!)
    let use = download.begin(status: 206, headers: headers)
    #expect(use == .discard)
    download.handleEnd(nil)
    download.handleWaited()
    #expect(download.step == .request(address: "https://a", from: 0, validator: nil))
  }

  @Test("a part of a different version of the file is not appended")
  func changedPart() {
    var download = located(received: 4, validator: "\"1\"")
    let headers: HeaderFields = ["Content-Range": "bytes 4-9/10", "ETag": "\"2\""]
    let use = download.begin(status: 206, headers: headers)
    #expect(use == .discard)
  }

  @Test("an expired download address is replaced, and the bytes received so far are kept")
  func expired() {
    var download = located(received: 4)
    let use = download.begin(status: 403, headers: [:])
    #expect(use == .discard)
    download.handleEnd(nil)
    download.handleWaited()
    #expect(download.step == .locate)
    #expect(download.received == 4)
  }

  @Test("a download starts over if the server's file is shorter than the partial file")
  func shorter() {
    var download = located(received: 4)
    let use = download.begin(status: 416, headers: [:])
    #expect(use == .discard)
    download.handleEnd(nil)
    download.handleWaited()
    #expect(download.step == .request(address: "https://a", from: 0, validator: nil))
  }

  @Test("a compressed response body is never stored")
  func compressed() {
    var download = located(received: 4)
    let headers: HeaderFields = ["Content-Range": "bytes 4-9/10", "Content-Encoding": "gzip"]
    let use = download.begin(status: 206, headers: headers)
    #expect(use == .discard)
  }

  @Test("a download follows redirects only to https addresses")
  func redirects() {
    var download = located()
    let use = download.begin(status: 302, headers: ["Location": "https://b/x"])
    #expect(use == .discard)
    download.handleEnd(nil)
    #expect(download.step == .request(address: "https://b/x", from: 0, validator: nil))
    _ = download.begin(status: 302, headers: ["Location": "http://b/x"])
    download.handleEnd(nil)
    guard case .failed = download.step else { return #expect(Bool(false), "\(download.step)") }
  }

  @Test("downloaded content with the wrong hash never counts as complete")
  func mismatch() {
    var download = located()
    for _ in 0..<3 {
      _ = download.begin(status: 200, headers: [:])
      _ = download.add(10)
      download.handleEnd(nil)
      download.handle(sha1: "wrong")
      if download.step == .locate {
        download.handle(location: DriveLocation(addresses: ["a"]), addresses: ["https://a"])
      }
    }
    guard case .failed(let failure) = download.step else { return #expect(Bool(false), "\(download.step)") }
    #expect(failure.kind == .changed)
  }

  @Test("a download stops if the response body is longer than the file")
  func tooLong() {
    var download = located()
    _ = download.begin(status: 200, headers: [:])
    let goesOn = download.add(11)
    #expect(!goesOn)
  }

  @Test("every download ends, whatever fails, and a successful download has the right content", arguments: 0..<400)
  func faults(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let content = (0..<Int.random(in: 0...60, using: &random)).map { UInt8($0) }
    let share = Double(seed % 8) / 10
    var file: [UInt8] = []
    var download = ResumableDownload()
    var steps = 0
    run: while steps < 2_000 {
      steps += 1
      // A restarted program continues with the partial file.
      if Int.random(in: 0..<50, using: &random) == 0 {
        download = ResumableDownload(
          received: file.count, validator: download.validator, sha1: download.sha1, size: download.size)
      }
      switch download.step {
      case .locate:
        download.handle(
          location: DriveLocation(addresses: ["a"], sha1: "\(content)", size: content.count), addresses: ["https://a"])
      case .wait: download.handleWaited()
      case .verify: download.handle(sha1: "\(file)")
      case .done, .failed: break run
      case .request(_, let start, _):
        let isFaulty = Double.random(in: 0..<1, using: &random) < share
        respond(to: &download, start, content, &file, fault: isFaulty ? Int.random(in: 0..<8, using: &random) : nil)
      }
    }
    switch download.step {
    case .done: #expect(file == content)
    case .failed: #expect(seed % 8 != 0)
    default: Issue.record("no end after \(steps) steps")
    }
  }

  private func respond(
    to download: inout ResumableDownload, _ start: Int, _ content: [UInt8], _ file: inout [UInt8], fault: Int?
  ) {
    var status = start > 0 ? 206 : 200
    var from = start
    var length = content.count - start
    var headers: HeaderFields = ["ETag": "\"1\""]
    switch fault {
    case 0: status = 503
    case 1: status = 403
    case 2: (status, from, length) = (200, 0, content.count)
    case 3: from = max(0, start - 1)
    case 4: length = min(length, 3)
    case 5: headers.append("Content-Encoding", "gzip")
    case 6: status = 416
    default: break
    }
    if status == 206 {
      headers.append("Content-Range", FieldValue("bytes \(from)-\(max(from, content.count - 1))/\(content.count)")!)
    }
    switch download.begin(status: status, headers: headers) {
    case .discard: break
    case .startOver, .append:
      if status == 200 { file = [] }
      let piece = Array(content[from..<min(content.count, from + length)])
      file += fault == 7 ? piece.map { $0 ^ 1 } : piece
      _ = download.add(piece.count)
    }
    download.handleEnd(fault == 4 ? DriveError(.unavailable, "broken") : nil)
  }
}
