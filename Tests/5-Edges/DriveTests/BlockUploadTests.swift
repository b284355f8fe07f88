import HomelineOAuth
import TestSupport
import Testing

@testable import Drive

@Suite struct BlockUploadTests {
  private let created = CreatedFile(isComplete: false, pathID: "p", servers: ["s"])

  private func response(_ status: Int, _ body: String = "") -> DriveResponse {
    DriveResponse(status: status, body: Array(body.utf8), hiding: .nothing)
  }

  /// Returns an upload whose session has begun.
  private func begun(size: Int, block: Int = 4) -> BlockUpload {
    var upload = BlockUpload(size: size, blockSize: block)
    upload.handle(created: created, servers: ["https://s"])
    upload.handle(response(200, #"{"session":"x"}"#))
    return upload
  }

  private let session = BlockUpload.Session(server: "https://s", id: "x")

  @Test("an upload sends all bytes, including a last block of one byte", arguments: DriveVectors.published.ranges)
  func ranges(vector: DriveVectors.Ranges) {
    var upload = begun(size: vector.size, block: vector.block)
    if vector.size > 0 { upload.handle(response(200, "0")) }
    var sent: [String] = []
    while case .send(_, let range) = upload.step {
      sent.append(UploadRequests.text(of: range))
      upload.handle(response(200))
    }
    #expect(sent == vector.ranges)
    #expect(upload.step == .finish(session))
    upload.handle(response(200))
    #expect(upload.step == .done)
    #expect(upload.confirmed == vector.size)
  }

  @Test("content that the server already has is not sent")
  func known() {
    var upload = BlockUpload(size: 5, blockSize: 4)
    #expect(upload.step == .create)
    upload.handle(created: CreatedFile(isComplete: true, pathID: "", servers: []), servers: [])
    #expect(upload.step == .done)
    var other = BlockUpload(size: 5, blockSize: 4)
    other.handle(created: created, servers: ["https://s"])
    other.handle(response(202))
    #expect(other.step == .done)
  }

  @Test("if an upload server does not respond, the request is sent to the next server")
  func servers() {
    var upload = BlockUpload(size: 5, blockSize: 4)
    upload.handle(created: created, servers: ["https://dead", "https://s"])
    #expect(upload.step == .initialize(server: "https://dead", pathID: "p"))
    upload.handleInterruption(DriveError(.unavailable, "refused"))
    #expect(upload.step == .initialize(server: "https://s", pathID: "p"))
  }

  @Test("an upload session continues at the server's offset", arguments: ["5", " 5\n", "\"5\""])
  func resume(offset: String) {
    var upload = BlockUpload(size: 9, blockSize: 4, resuming: session)
    #expect(upload.step == .ask(session))
    upload.handle(response(200, offset))
    #expect(upload.step == .send(session, 5..<9))
    #expect(upload.confirmed == 5)
  }

  @Test("an upload session that has received all bytes only needs to be finished")
  func resumeAtEnd() {
    var upload = BlockUpload(size: 9, blockSize: 4, resuming: session)
    upload.handle(response(200, "9"))
    #expect(upload.step == .finish(session))
  }

  @Test(
    "after an invalid offset from the server, the upload starts a new session",
    arguments: ["", "10", "-1", "<html>", "4.5"])
  func badOffset(offset: String) {
    var upload = BlockUpload(size: 9, blockSize: 4, resuming: session)
    upload.handle(response(200, offset))
    #expect(upload.step == .wait(.seconds(1)))
    upload.handleWaited()
    #expect(upload.step == .create)
  }

  @Test(
    "the upload continues at the offset that the server expects", arguments: [#"{"expect":"8"}"#, #"{"expect":8}"#])
  func expected(body: String) {
    var upload = begun(size: 20)
    upload.handle(response(200, "0"))
    upload.handle(response(409, body))
    #expect(upload.step == .send(session, 8..<12))
    upload.handle(response(409, #"{"expect":4}"#))
    #expect(upload.step == .send(session, 4..<8))
  }

  @Test("the upload fails if the server keeps changing the offset that it expects")
  func endlessConflict() {
    var upload = begun(size: 20)
    upload.handle(response(200, "0"))
    var count = 0
    while case .send = upload.step, count < 100 {
      upload.handle(response(409, count.isMultiple(of: 2) ? #"{"expect":4}"# : #"{"expect":0}"#))
      count += 1
    }
    guard case .failed(let failure) = upload.step else { return #expect(Bool(false), "\(upload.step)") }
    #expect(failure.kind == .unavailable)
    #expect(count < 20)
  }

  @Test("an upload whose session is lost starts over by announcing the file again")
  func lostSession() {
    var upload = begun(size: 20)
    upload.handle(response(200, "0"))
    upload.handle(response(401))
    upload.handleWaited()
    #expect(upload.step == .create)
  }

  @Test("an error code in a response with status 200 makes the upload fail")
  func hiddenError() {
    var upload = begun(size: 5)
    upload.handle(response(200, "0"))
    upload.handle(response(200, #"{"error_code":40321,"error_msg":"full"}"#))
    #expect(upload.step == .failed(DriveError(.full, code: 40321, "the server refused the request (40321): full")))
  }

  @Test("the upload waits for the server to finish at most ten times, for two seconds each time")
  func assembling() {
    var upload = begun(size: 5)
    upload.handle(response(200, "5"))
    for _ in 0..<10 {
      upload.handle(response(202))
      #expect(upload.step == .wait(.seconds(2)))
      #expect(upload.session == session)
      upload.handleWaited()
      #expect(upload.step == .finish(session))
    }
    upload.handle(response(202))
    guard case .failed(let failure) = upload.step else { return #expect(Bool(false), "\(upload.step)") }
    #expect(failure.kind == .unavailable)
  }

  @Test("every upload ends, whatever fails, and a successful upload has stored the content", arguments: 0..<400)
  func faults(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let content = (0..<Int.random(in: 0...33, using: &random)).map { UInt8($0) }
    var server = UnreliableUploadServer(size: content.count, share: Double(seed % 8) / 10)
    var upload = BlockUpload(size: content.count, blockSize: Int.random(in: 1...8, using: &random))
    var steps = 0
    run: while steps < 2_000 {
      steps += 1
      // A restarted program resumes the stored session.
      if let session = upload.session, Int.random(in: 0..<50, using: &random) == 0 {
        upload = BlockUpload(size: content.count, blockSize: 5, resuming: session)
      }
      switch upload.step {
      case .create: upload.handle(created: created, servers: ["https://a", "https://b"])
      case .wait: upload.handleWaited()
      case .done, .failed: break run
      default:
        if let response = server.response(to: upload.step, content, &random) {
          upload.handle(response)
        } else {
          upload.handleInterruption(DriveError(.unavailable, "broken"))
        }
      }
    }
    switch upload.step {
    case .done: #expect(server.stored == content)
    case .failed: #expect(seed % 8 != 0)
    default: Issue.record("no end after \(steps) steps")
    }
  }
}

/// A simulated server that fails at random before or after it has processed a request.
private struct UnreliableUploadServer {
  let size: Int
  /// The fraction of requests that fail.
  let share: Double
  private(set) var stored: [UInt8]?
  private var sessions: [String: [UInt8]] = [:]

  init(size: Int, share: Double) {
    self.size = size
    self.share = share
  }

  /// - Returns: the response; nil if the connection broke.
  mutating func response(
    to step: BlockUpload.Step, _ content: [UInt8], _ random: inout SeededGenerator
  ) -> DriveResponse? {
    guard Double.random(in: 0..<1, using: &random) < share else { return process(step, content) }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return nil
    case 1:
      _ = process(step, content)
      return nil
    case 2: return respond(503)
    case 3:
      _ = process(step, content)
      return respond(500, "<html>")
    case 4:
      sessions = [:]
      return process(step, content)
    case 5:
      // The response is lost after the server has accepted the request.
      sessions = sessions.mapValues { $0.dropLast(3) }
      return process(step, content)
    default: return respond(429)
    }
  }

  private mutating func process(_ step: BlockUpload.Step, _ content: [UInt8]) -> DriveResponse {
    switch step {
    case .initialize:
      sessions["n\(sessions.count)"] = []
      return respond(200, #"{"session":"n\#(sessions.count - 1)"}"#)
    case .ask(let session): return sessions[session.id].map { respond(200, "\($0.count)") } ?? respond(401)
    case .send(let session, let range):
      guard let bytes = sessions[session.id] else { return respond(401) }
      guard bytes.count == range.lowerBound else { return respond(409, #"{"expect":"\#(bytes.count)"}"#) }
      sessions[session.id] = bytes + content[range]
      return respond(range.upperBound == size ? 202 : 200)
    case .finish(let session):
      guard let bytes = sessions[session.id] else { return respond(401) }
      guard bytes.count == size else { return respond(409, #"{"expect":\#(bytes.count)}"#) }
      stored = bytes
      return respond(200)
    default: preconditionFailure("the step has no request")
    }
  }

  private func respond(_ status: Int, _ body: String = "") -> DriveResponse {
    DriveResponse(status: status, body: Array(body.utf8), hiding: .nothing)
  }
}
