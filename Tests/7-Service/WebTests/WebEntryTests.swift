import Glibc
import HTTP
import Platform
import TestSupport
import Testing

@testable import Web

@Suite("Entering the web page") struct WebEntryTests {
  private static let navigation = ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-Site: none"]

  @Test("A ticket becomes a cookie that scripts and other sites never see, and leaves the address bar")
  func entering() throws {
    let fixture = try WebFixture()
    let answer = try fixture.send(fixture.ticket(), Self.navigation)
    #expect(answer.status == 303)
    #expect(answer.field("Location") == "/")
    let cookie = try #require(answer.field("Set-Cookie"))
    let parts = cookie.split(separator: "; ").map(String.init)
    #expect(Array(parts.dropFirst()) == ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict"])
    #expect(parts[0].hasPrefix("homeline-\(fixture.port)=") && parts[0].split(separator: "=")[1].utf8.count == 64)
    let page = try fixture.send("/", [WebFixture.cookie(of: answer)])
    #expect(page.status == 200)
    #expect(page.text.contains("<title>Home · homeline</title>") && page.text.contains("href=\"/a/bird\""))
    let secret = parts[0].split(separator: "=")[1]
    #expect(!page.text.contains(secret) && !page.head.contains("Set-Cookie"))
  }

  @Test("Without a session, no page shows anything")
  func outside() throws {
    let fixture = try WebFixture()
    _ = try fixture.enter()
    for path in ["/", "/a/bird", "/nowhere", "/status", "/leave"] {
      let answer = try fixture.send(path)
      #expect(answer.status == 403, "\(path)")
      #expect(!answer.text.contains("bird") && !answer.text.contains("<nav"))
      #expect(answer.text.contains("homeline web"))
    }
  }

  @Test("A ticket used twice lets only one request in, even if both are sent before the first response")
  func raced() throws {
    let fixture = try WebFixture()
    for _ in 0..<5 {
      let ticket = try fixture.ticket()
      let clients = try (0..<12).map { _ in try TestClient(port: fixture.port) }
      for client in clients {
        try client.send("GET \(ticket) HTTP/1.1\r\nHost: 127.0.0.1:\(fixture.port)\r\n\r\n")
      }
      let statuses = try clients.map { try $0.readResponse().status }
      #expect(statuses.filter { $0 == 303 }.count == 1, "\(statuses)")
      #expect(statuses.allSatisfy { [303, 403, 429].contains($0) }, "\(statuses)")
    }
  }

  @Test("A request that nobody sees as a page leaves the ticket valid")
  func unseen() throws {
    let fixture = try WebFixture()
    let ticket = try fixture.ticket()
    #expect(try fixture.send(ticket, method: "HEAD").status == 403)
    for fields in [
      ["Sec-Purpose: prefetch"], ["Sec-Purpose: prefetch;prerender"], ["Purpose: prefetch"],
      ["Sec-Fetch-Dest: iframe", "Sec-Fetch-Mode: navigate"], ["Sec-Fetch-Dest: image", "Sec-Fetch-Mode: no-cors"],
      ["Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors"], ["Sec-Fetch-Mode: no-cors"], ["Origin: null"],
      ["Upgrade: websocket", "Connection: Upgrade"],
    ] {
      let answer = try fixture.send(ticket, fields)
      #expect(answer.status == 403 && answer.field("Set-Cookie") == nil, "\(fields)")
    }
    // A link on another page.
    let link = try fixture.send(
      ticket, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"])
    #expect(link.status == 200 && link.field("Set-Cookie") == nil)
    #expect(link.text.contains("Open homeline?") && !link.text.contains("ticket"))
    #expect(try fixture.send(ticket, Self.navigation).status == 303)
    #expect(try fixture.send(ticket, Self.navigation).status == 403)
  }

  @Test("A late ticket does not count")
  func late() throws {
    let fixture = try WebFixture()
    let ticket = try fixture.ticket()
    fixture.boot.withLock { $0 = $0 + .seconds(60) }
    #expect(try fixture.send(ticket).status == 403)
    #expect(try fixture.send(fixture.ticket()).status == 303)
  }

  @Test("A front server's browser gets a cookie for TLS only, and its ticket counts only there")
  func frontServer() throws {
    let fixture = try WebFixture(origins: ["https://box.example"])
    let opening = try fixture.listener.open(isPrinted: true)
    #expect(opening.entries.count == 2)
    #expect(opening.entries[1].hasPrefix("https://box.example/enter?ticket="))
    let path = String(opening.entries[1].dropFirst("https://box.example".count))
    #expect(try fixture.send(path).status == 403)
    let answer = try fixture.send(path, host: "box.example")
    let cookie = try #require(answer.field("Set-Cookie"))
    #expect(cookie.hasPrefix("__Host-homeline=") && cookie.hasSuffix("; Secure"))
    #expect(try fixture.send("/", host: "box.example", [WebFixture.cookie(of: answer)]).status == 200)
    // A browser's argument never lets a front server's browser in.
    #expect(try fixture.listener.open(isPrinted: false).entries.count == 1)
    #expect(try fixture.send(fixture.ticket(isPrinted: false), host: "box.example").status == 403)
    #expect(try fixture.send(fixture.ticket(isPrinted: false)).status == 303)
  }

  @Test("Forgotten browsers must enter again, also after a restart, and their tickets are void")
  func forgotten() throws {
    let fixture = try WebFixture()
    let first = try fixture.enter()
    let second = try fixture.enter()
    let ticket = try fixture.ticket()
    #expect(try fixture.send("/", [first]).status == 200)
    #expect(try fixture.listener.forget() == 2)
    for cookie in [first, second] { #expect(try fixture.send("/", [cookie]).status == 403) }
    #expect(try fixture.send(ticket).status == 403)
    #expect(try fixture.send("/", [fixture.enter()]).status == 200)
  }

  @Test("Leaving ends the session of this browser only")
  func leaving() throws {
    let fixture = try WebFixture()
    let (own, other) = try (fixture.enter(), fixture.enter())
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    #expect(try fixture.send("/leave", method: "POST", [own], body: "").status == 403)
    #expect(try fixture.send("/leave", [own]).status == 405)
    #expect(try fixture.send("/leave", [own]).field("Allow") == "POST")
    #expect(try fixture.send("/", [own]).status == 200)
    let answer = try fixture.send("/leave", method: "POST", [own, origin], body: "")
    #expect(answer.status == 200)
    #expect(answer.field("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(try fixture.send("/", [own]).status == 403)
    #expect(try fixture.send("/", [other]).status == 200)
  }

  @Test("Among cookies that other programs of this machine have set, the session is found")
  func otherCookies() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let own = cookie.dropFirst("Cookie: ".count)
    let name = "homeline-\(fixture.port)"
    #expect(try fixture.send("/", ["Cookie: a=b; \(name)=; \(name)=x; \(own); c"]).status == 200)
    #expect(try fixture.send("/", ["Cookie: \(name)=x", "Cookie: \(own)"]).status == 200)
    #expect(try fixture.send("/", ["Cookie: x\(own)"]).status == 403)
    #expect(try fixture.send("/", ["Cookie: \(own)0"]).status == 403)
    let many = (0..<500).map { "\(name)=\($0)" }.joined(separator: "; ")
    #expect(try fixture.send("/", ["Cookie: \(many); \(own)"]).status == 200)
  }

  @Test("Guesses are refused after 32 in a row, and the right cookie still works")
  func guessing() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    var statuses: [Int] = []
    for number in 0..<40 {
      statuses.append(try fixture.send("/enter?ticket=\(number)").status)
    }
    #expect(statuses.prefix(32).allSatisfy { $0 == 403 } && statuses.contains(429), "\(statuses)")
    let refused = try fixture.send("/", ["Cookie: homeline-\(fixture.port)=0"])
    #expect(refused.status == 429 && refused.field("Retry-After") != nil)
    #expect(try fixture.send("/", [cookie]).status == 200)
    #expect(fixture.lines.withLock { $0 }.filter { $0.contains("many requests") }.count == 1)
    #expect(try fixture.send(fixture.ticket()).status == 303)
  }

  @Test("No ticket, cookie or address is logged")
  func log() throws {
    let fixture = try WebFixture()
    let ticket = try fixture.ticket()
    let cookie = try WebFixture.cookie(of: fixture.send(ticket))
    _ = try fixture.send(ticket)
    _ = try fixture.send("/a/bird?secret", [cookie])
    _ = try fixture.listener.forget()
    for _ in 0..<40 { _ = try fixture.send("/", [cookie]) }
    let lines = fixture.lines.withLock { $0 }.joined(separator: "\n")
    let secrets = [ticket, cookie].map { String($0[$0.index(after: $0.lastIndex(of: "=")!)...]) } + ["secret", "/a/"]
    for secret in secrets { #expect(!lines.contains(secret)) }
  }
}
