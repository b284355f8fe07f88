import Dispatch
import Glibc
import HTTP
import Platform
import TestSupport
import Testing
import Time

@testable import ControlProtocol

/// The control client on real Unix sockets, with valid and broken responses.
@Suite struct ControlClientTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\n"
  private static let end = #"{"event":"end","exit":0,"message":null,"retry_at":null}"# + "\n"

  /// Waits on a separate thread, to keep the test threads free.
  private func elsewhere<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "control-client.test").async { @Sendable in continuation.resume(returning: body()) }
    }
  }

  private struct Heard: Sendable, Equatable {
    var events: [AnyEvent] = []
    var end: EndEvent?
    var error: ControlClientError?
  }

  /// Compares events of any type by the lines they are written as.
  private struct AnyEvent: Sendable, Equatable {
    let line: [UInt8]

    init(_ event: any ControlEvent) { line = event.line }
  }

  /// Sends a request and returns the events in its response. The default request is a login, whose events include most
  /// kinds.
  private func hear(_ client: ControlClient, _ request: some ControlRequest = LoginRequest()) async -> Heard {
    await elsewhere {
      var heard = Heard()
      do throws(ControlClientError) {
        heard.end = try client.events(of: request) { heard.events.append(AnyEvent($0)) }
      } catch { heard.error = error }
      return heard
    }
  }

  private func hear(_ script: ScriptedOwner.Step..., limits: ControlClient.Limits = ControlClient.Limits()) async throws
    -> Heard
  {
    let owner = try ScriptedOwner(script)
    return await hear(ControlClient(path: owner.path, limits: limits))
  }

  @Test(
    "A response is read event by event up to its declared length or the end of the connection, however it is split")
  func streams() async throws {
    let lines =
      #"{"event":"notice","message":"a"}"# + "\n\n" + #"{"event":"later","x":[]}"# + "\n"
      + #"{"event":"stored","path":"/t"}"# + "\n" + Self.end
    let expected = Heard(
      events: [AnyEvent(NoticeEvent("a")), AnyEvent(StoredEvent(path: "/t"))], end: EndEvent(exit: .done))
    #expect(try await hear(.send(Self.head + "\r\n" + lines)) == expected)
    let bytes = (Self.head + "\r\n" + lines).map { ScriptedOwner.Step.send(String($0)) }
    let slow = try ScriptedOwner(bytes)
    #expect(await hear(ControlClient(path: slow.path)) == expected)
    let owner = try ScriptedOwner([.send(Self.head + "Content-Length: \(lines.utf8.count)\r\n\r\n" + lines), .hold])
    let request = LoginRequest(account: "x")
    #expect(await hear(ControlClient(path: owner.path), request) == expected)
    let received = try #require(owner.requests.first)
    #expect(try RequestReader.read(received, among: [LoginRequest.self]) as? LoginRequest == request)
  }

  @Test("An event is received before the server sends the next one")
  func promptness() async throws {
    let owner = try ScriptedOwner([.send(Self.head + "\r\n" + #"{"event":"notice","message":"a"}"# + "\n"), .hold])
    let client = ControlClient(path: owner.path)
    let error = await elsewhere {
      do throws(ControlClientError) {
        // The call ends only once an event arrives.
        _ = try client.events(of: ReloadRequest()) { _ in client.hangUp() }
        return ControlClientError?.none
      } catch { return error }
    }
    #expect(error == .hungUp)
    #expect(await hear(client).error == .hungUp)
  }

  @Test("The client distinguishes a socket without a listener from a path that is too long for a socket")
  func unreachable() async throws {
    let folder = TemporaryFolder()
    let missing = await hear(ControlClient(path: "\(folder.path)/control.socket"))
    #expect(missing.error == .unreachable("no process is listening on \(folder.path)/control.socket"))
    let long = "/" + String(repeating: "x", count: 107)
    #expect(await hear(ControlClient(path: long)).error == .unreachable("\(long) is too long for a socket path"))
    // A killed owner leaves its closed socket's file behind.
    let gone = "\(folder.path)/left"
    do {
      let owner = try ScriptedOwner([.hold])
      #expect(rename(owner.path, gone) == 0)
    }
    #expect(await hear(ControlClient(path: gone)).error == .unreachable("no process is listening on \(gone)"))
  }

  @Test(
    "The client distinguishes a service that exits before its response from one that exits during it"
  )
  func endings() async throws {
    #expect(try await hear(.close).error == .unanswered)
    #expect(try await hear(.send("HTTP/1.1 200"), .close).error == .brokenOff)
    #expect(try await hear(.send(Self.head), .close).error == .brokenOff)
    #expect(try await hear(.send(Self.head + "\r\n"), .close).error == .brokenOff)
    let chunk = #"{"event":"notice","message":"a"}"# + "\n"
    let broken = try await hear(
      .send(Self.head + "Content-Length: \(chunk.utf8.count + 1)\r\n\r\n\(chunk)"), .close)
    #expect(broken == Heard(events: [AnyEvent(NoticeEvent("a"))], error: .brokenOff))
    // An incomplete line is not an event.
    #expect(try await hear(.send(Self.head + "\r\n" + Self.end.dropLast()), .close).error == .brokenOff)
  }

  @Test("An error includes the service's own message, even if the service did not read the request")
  func refusals() async throws {
    let refusal = ControlError(.conflict, exit: .temporary, "a login is under way")
    let bytes = String(decoding: refusal.response.serialized(for: nil, closing: true), as: UTF8.self)
    #expect(try await hear(.send(bytes)).error == .refused(refusal))
    let deaf = try ScriptedOwner([.send(bytes), .hold], readsRequest: false)
    #expect(await hear(ControlClient(path: deaf.path)).error == .refused(refusal))
  }

  @Test("A response that violates the protocol is reported as malformed")
  func foreign() async throws {
    func isMalformed(_ text: String) async throws -> Bool {
      if case .malformed = try await hear(.send(text)).error { true } else { false }
    }
    #expect(try await isMalformed("SSH-2.0-OpenSSH_9.2\r\n"))
    #expect(try await isMalformed("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"))
    #expect(try await isMalformed("HTTP/1.1 200 OK\r\n\r\n"))
    #expect(try await isMalformed(Self.head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
    #expect(try await isMalformed(Self.head + "\r\nnot json\n"))
    #expect(try await isMalformed(Self.head + "\r\n" + Self.end + Self.end))
  }

  @Test("An oversized head, line, document or error response is refused without being stored")
  func limits() async throws {
    var limits = ControlClient.Limits()
    (limits.line, limits.document) = (64, 64)
    let line = #"{"event":"notice","message":"\#(String(repeating: "a", count: 31))"}"#
    #expect(line.utf8.count == 62)
    #expect(try await hear(.send(Self.head + "\r\n\(line)\n" + Self.end), limits: limits).error == nil)
    let endless = String(repeating: "x", count: 65)
    #expect(
      try await hear(.send(Self.head + "\r\n\(endless)"), .hold, limits: limits).error
        == .malformed("a line of more than 64 bytes"))
    #expect(
      try await hear(.send("HTTP/1.1 500 Internal Server Error\r\n\r\n\(endless)"), .hold, limits: limits).error
        == .malformed("its refusal is too large"))
    #expect(
      try await hear(.send("HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 20000))"), .hold).error
        == .malformed("the response head is too large"))
    let owner = try ScriptedOwner([
      .send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\(endless)"), .hold,
    ])
    let client = ControlClient(path: owner.path, limits: limits)
    #expect(await status(client) == .failure(.malformed("the document is too large")))
  }

  private func status(
    _ client: ControlClient, timeout: Duration = .seconds(60)
  ) async -> Result<ControlStatus, ControlClientError> {
    await elsewhere {
      Result { () throws(ControlClientError) in try client.status(timeout: timeout) }
    }
  }

  @Test("A status is read completely, and the client times out if a response stops after its header fields")
  func statuses() async throws {
    let time = Timestamp(seconds: 1_795_176_000)
    let document = ControlStatus(
      owner: ControlStatus.Owner(
        processID: 1, command: "daemon", version: "1", startedAt: time, configuration: "/c", configurationProblem: nil),
      accounts: [])
    let response = Response(status: .ok, headers: [.contentType: "application/json"], body: document.json)
    let owner = try ScriptedOwner([
      .send(String(decoding: response.serialized(for: nil, closing: false), as: UTF8.self)), .hold,
    ])
    #expect(await status(ControlClient(path: owner.path)) == .success(document))
    for silent in [
      try ScriptedOwner([.hold]), try ScriptedOwner([.send("HTTP/1.1 200 OK\r\n"), .hold]),
      try ScriptedOwner([], accepts: false),
    ] {
      let response = await status(ControlClient(path: silent.path), timeout: .milliseconds(50))
      #expect(response == .failure(.timedOut(silent.path)))
    }
  }

  @Test("Input for a login gets an empty response")
  func input() async throws {
    let owner = try ScriptedOwner([.send("HTTP/1.1 204 No Content\r\n\r\n"), .hold])
    let client = ControlClient(path: owner.path)
    let error = await elsewhere { () -> ControlClientError? in
      do throws(ControlClientError) {
        try client.send(LoginInputRequest(login: "7", .line("v")), timeout: .seconds(60))
        return nil
      } catch { return error }
    }
    #expect(error == nil)
    let received = try #require(owner.requests.first)
    #expect(
      try RequestReader.read(received, among: [LoginInputRequest.self]) as? LoginInputRequest
        == LoginInputRequest(login: "7", .line("v")))
  }
}
