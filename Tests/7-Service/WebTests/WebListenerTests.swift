import Accounts
import Dispatch
import Folders
import Platform
import Settings
import TestSupport
import Testing

@testable import Web

@Suite("Opening and closing the web page") struct WebListenerTests {
  private func answers(_ port: UInt16) -> Bool { (try? TestClient(port: port)) != nil }

  @Test("Without settings, the port is closed until somebody asks for it")
  func closed() throws {
    let fixture = try WebFixture(isConfigured: false)
    fixture.listener.start()
    #expect(!FreeName.isTaken(fixture.layout.webFolder))
    #expect(try fixture.listener.close() == .wasClosed)
  }

  @Test("The configured port opens at the start, on both addresses")
  func configured() throws {
    let fixture = try WebFixture()
    fixture.listener.start()
    #expect(answers(fixture.port))
    #expect(try TestClient.get("/", port: fixture.port, overIPv6: true).status == 403)
    #expect(try fixture.listener.open(isPrinted: true).page == "http://127.0.0.1:\(fixture.port)/")
    // It is the configuration that opens it, so nothing is remembered.
    #expect(!FreeName.isTaken("\(fixture.layout.webFolder)/port"))
  }

  @Test("An opened port is opened again after a restart, until it is closed; the cookie stays valid")
  func remembered() throws {
    let fixture = try WebFixture()
    // As if the default port were taken, a chosen one is remembered.
    try WebPortFile(fixture.layout).write(fixture.port)
    fixture.listener.adopt(nil)
    let cookie = try fixture.enter()
    stop(fixture.listener)
    #expect(!answers(fixture.port))
    let second = try fixture.restarted()
    second.adopt(nil)
    second.start()
    #expect(try fixture.send("/", [cookie]).status == 200)
    #expect(try second.close() == .closed("http://127.0.0.1:\(fixture.port)/"))
    #expect(!answers(fixture.port))
    let third = try fixture.restarted()
    third.adopt(nil)
    third.start()
    #expect(!answers(fixture.port))
  }

  @Test("If the default port is taken and none is chosen, a free one is taken and kept")
  func free() throws {
    // Either this test or another program has the default port, so that it is taken.
    let taken = try? BoundSocket(.loopback, port: ProgramDefaults.webPort)
    let fixture = try WebFixture(isConfigured: false)
    try taken?.listen()
    let page = try fixture.listener.open(isPrinted: true).page
    let port = try #require(WebPortFile(fixture.layout).port)
    #expect(page == "http://127.0.0.1:\(port)/" && port != ProgramDefaults.webPort)
    #expect(try fixture.listener.open(isPrinted: true).page == page)
    stop(fixture.listener)
    let again = try fixture.restarted()
    again.start()
    #expect(try again.open(isPrinted: true).page == page)
    stop(again)
    withExtendedLifetime(taken) {}
  }

  @Test("If the port cannot be remembered, the page is not opened")
  func unremembered() throws {
    let fixture = try WebFixture(isConfigured: false)
    let path = "\(fixture.layout.webFolder)/port"
    try Folder.create(path)
    let error = try #require(throws: (any Error).self) { try fixture.listener.open(isPrinted: true) }
    #expect("\(error)".contains("port could not be stored"), "\(error)")
    try Folder.remove(path)
    #expect(try fixture.listener.close() == .wasClosed)
    #expect(try fixture.listener.open(isPrinted: true).entries.count == 1)
  }

  @Test("The page is closed even if it cannot be forgotten that it was opened")
  func closedWithoutDisk() throws {
    let fixture = try WebFixture(isConfigured: false)
    let page = try fixture.listener.open(isPrinted: true).page
    let port = try #require(WebPortFile(fixture.layout).port)
    let path = "\(fixture.layout.webFolder)/port"
    try File.remove(path)
    try Folder.create(path)
    let error = try #require(throws: (any Error).self) { try fixture.listener.close() }
    #expect("\(error)".contains("is closed, but will be opened again") && !answers(port), "\(error) \(page)")
    try Folder.remove(path)
    #expect(try fixture.listener.close() == .wasClosed)
  }

  @Test("If the configured port is taken, the error names the program that holds it")
  func taken() throws {
    let holder = try WebFixture()
    holder.listener.start()
    let fixture = try WebFixture(reserved: holder.reservedPort)
    fixture.listener.start()
    let line = try #require(fixture.lines.withLock { $0 }.first)
    #expect(line.contains("port 127.0.0.1:\(holder.port) is taken by ") && line.contains("web.port"), "\(line)")
    let error = try #require(throws: (any Error).self) { try fixture.listener.open(isPrinted: true) }
    #expect("\(error)".contains("process "), "\(error)")
    // When the port is free, the next request opens it.
    stop(holder.listener)
    #expect(try fixture.listener.open(isPrinted: true).page.contains(":\(holder.port)/"))
  }

  @Test("A program on the same port of ::1 would receive cookies, so the page is not opened")
  func takenOnIPv6() throws {
    let fixture = try WebFixture()
    let reserved = try ReservedPort()
    let other = try BoundSocket(.loopback6, port: reserved.port, shared: true)
    try other.listen()
    try WebPortFile(fixture.layout).write(other.port)
    fixture.listener.adopt(nil)
    let error = try #require(throws: (any Error).self) { try fixture.listener.open(isPrinted: true) }
    #expect("\(error)".contains("[::1]:\(other.port) is taken"), "\(error)")
    #expect("\(error)".contains("homeline web --close"))
  }

  @Test("A reload opens, moves and closes the page, and keeps connections to an unchanged port")
  func reloaded() async throws {
    let fixture = try WebFixture(isConfigured: false)
    let other = try ReservedPort()
    let settings = WebSettings(port: fixture.port)
    adopt(settings, fixture.listener)
    #expect(answers(fixture.port))
    // A stream is not closed for its silence.
    let cookie = try fixture.enter()
    let client = try TestClient(port: fixture.port)
    try client.request("/events", fields: [cookie])
    #expect(try client.readResponse().status == 200)
    #expect(try fixture.send("/", host: "box.example").status == 421)
    var changed = settings
    changed.origins = [try #require(WebOrigin("https://box.example"))]
    adopt(changed, fixture.listener)
    #expect(try await eventually { try fixture.send("/", host: "box.example").status == 403 })
    let bird = try #require(AccountName("bird"))
    fixture.changes.report(.outbox(bird))
    var seen = ""
    while !seen.contains("/outbox") {
      let bytes = try client.receive()
      try #require(!bytes.isEmpty, "\(seen)")
      seen += String(decoding: bytes, as: UTF8.self)
    }
    adopt(WebSettings(port: other.port), fixture.listener)
    #expect(!answers(fixture.port) && answers(other.port))
    adopt(nil, fixture.listener)
    #expect(!answers(other.port))
  }

  @Test("A page that the user has closed stays closed until the settings change")
  func closedByUser() throws {
    let fixture = try WebFixture()
    fixture.listener.start()
    #expect(try fixture.listener.close() != .wasClosed)
    adopt(WebSettings(port: fixture.port), fixture.listener)
    #expect(!answers(fixture.port))
    adopt(WebSettings(port: fixture.port, origins: [try #require(WebOrigin("https://a.example"))]), fixture.listener)
    #expect(answers(fixture.port))
  }

  private func adopt(_ settings: WebSettings?, _ listener: WebListener) {
    wait { listener.adopt(settings, completion: $0) }
  }

  private func stop(_ listener: WebListener) { wait { listener.stop(grace: .zero, completion: $0) } }

  private func wait(_ work: (@escaping @Sendable () -> Void) -> Void) {
    let done = DispatchSemaphore(value: 0)
    work { done.signal() }
    done.wait()
  }
}
