import HTTP
import Platform
import TestSupport
import Testing

@testable import Web

@Suite("What the web page answers") struct WebServerTests {
  @Test(
    "Every response has the fields that protect the page",
    arguments: ["/", "/nowhere", "/enter", "/x/none.css", "//", "/a/%2e%2e"])
  func fields(path: String) throws {
    let fixture = try WebFixture()
    for cookie in [[], [try fixture.enter()]] {
      let answer = try fixture.send(path, cookie)
      #expect(answer.field("Content-Security-Policy")?.hasPrefix("default-src 'none'; ") == true)
      #expect(answer.field("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
      #expect(answer.field("Referrer-Policy") == "same-origin")
      #expect(answer.field("X-Content-Type-Options") == "nosniff")
      #expect(answer.field("Cross-Origin-Opener-Policy") == "same-origin")
      #expect(answer.field("Cross-Origin-Resource-Policy") == "same-origin")
      #expect(answer.field("Cache-Control") == "no-store")
      #expect(answer.field("Date") != nil)
    }
  }

  @Test("The style sheet and the icon are found in a page, need no session, and never change under their addresses")
  func staticFiles() throws {
    let fixture = try WebFixture()
    let page = try fixture.send("/", [fixture.enter()]).text
    let addresses = page.matches(of: /(?:href|src)="(\/x\/[0-9a-f]{32}\.(css|js|svg))"/).map {
      (String($0.1), String($0.2))
    }
    #expect(addresses.map(\.1).sorted() == ["css", "js", "svg"])
    for (address, kind) in addresses {
      let answer = try fixture.send(address)
      let (type, limit) =
        switch kind {
        case "css": ("text/css", 20_480)
        case "js": ("text/javascript", 12_288)
        default: ("image/svg+xml", 1_024)
        }
      #expect(answer.status == 200, "\(kind)")
      #expect((1...limit).contains(answer.body.count), "\(kind) \(answer.body.count)")
      #expect(answer.field("Content-Type")?.hasPrefix(type) == true)
      #expect(answer.field("Cache-Control") == "private, max-age=31536000, immutable")
      #expect(try fixture.send(address, method: "HEAD").field("Content-Length") == "\(answer.body.count)")
      // Another site cannot even find out that homeline runs here.
      #expect(try fixture.send(address, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: style"]).status == 403)
    }
  }

  @Test("A page that does not exist leads back, and a wrong method names the right ones")
  func missing() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    for path in ["/nowhere", "/x/none.css", "/a", "//evil.example/", "/%2e%2e/", "/a/%00", "/a%2fbird"] {
      let answer = try fixture.send(path, [cookie])
      #expect(answer.status == 404, "\(path)")
    }
    #expect(try fixture.send("/nowhere", [cookie]).text.contains("<a href=\"/\">"))
    // Also far beyond the length of a component, and of a request line.
    for part in ["a", "%2e", "..", "%00", "~", "%c0%ae"] {
      let long = String(repeating: part, count: 8_000 / part.count)
      let longer = String(repeating: part, count: 20_000)
      for path in ["/m/\(long)", "/m/00/\(long)", "/x/\(long)", "/a/\(long)", "/a/bird/\(long)", "/f/\(long)/atom.xml"]
      {
        #expect(try fixture.send(path, [cookie]).status == 404, "\(path.prefix(20))")
      }
      #expect(try fixture.send("/a/\(longer)", [cookie]).status == 414, "\(part)")
      #expect(
        try fixture.send("/x/\(String(repeating: part + "/", count: 8_000 / (part.count + 1)))", [cookie]).status == 404
      )
    }
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    for method in ["POST", "PUT", "DELETE"] {
      let answer = try fixture.send("/", method: method, [cookie, origin], body: "")
      #expect(answer.status == 405 && answer.field("Allow") == "GET, HEAD", "\(method)")
    }
    #expect(try fixture.send("/", method: "HEAD", [cookie]).status == 200)
  }

  @Test("A link on another page shows only a question, and leads to the same path on this server")
  func foreignLinks() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let link = ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", cookie]
    let answer = try fixture.send("/a/bird?by=%22%3E%3Cscript%3E", link)
    #expect(answer.status == 200)
    #expect(answer.text.contains("<a href=\"/a/bird?by=%22%3E%3Cscript%3E\">Open homeline</a>"))
    #expect(!answer.text.contains("<nav") && !answer.text.contains("Accounts"))
    #expect(try fixture.send("//evil.example/", link).text.contains("<a href=\"/\">Open homeline</a>"))
    #expect(try fixture.send("/%0d%0aX:y", link).text.contains("<a href=\"/\">Open homeline</a>"))
    let said = try fixture.send("/a/bird?done=deleted&by=x&done=liked&part=posts", link)
    #expect(said.text.contains("<a href=\"/a/bird?by=x\">Open homeline</a>"))
  }

  @Test(
    "A form changes something only with the cookie and exactly this origin",
    arguments: [
      ("/act", "account=bird&post=1&timeline=bird&back=/a/bird&do=like"),
      ("/act", "account=bird&post=1&timeline=bird&back=/a/bird&do=read"),
      ("/act", "account=bird&post=1&timeline=bird&back=/a/bird&do=delete&sure=yes"),
      ("/act", "account=bird&post=1&timeline=bird&back=/a/bird&do=delete&sure=yes&part=posts"),
      ("/status/refresh", "account=bird"), ("/status/login", "account=bird"),
    ])
  func changes(path: String, body: String) throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let attempts = [
      [cookie], [origin], [cookie, "Origin: null"], [cookie, "Origin: http://127.0.0.1:\(fixture.port &+ 1)"],
      [cookie, "Origin: http://localhost:\(fixture.port)"], [cookie, "Origin: https://127.0.0.1:\(fixture.port)"],
      [cookie, origin, "Origin: http://evil.example"], [cookie, origin, "Sec-Fetch-Site: same-site"],
      [cookie, origin, "Sec-Fetch-Site: cross-site"], ["Cookie: homeline-\(fixture.port)=0", origin],
    ]
    for fields in attempts {
      #expect(try fixture.send(path, method: "POST", fields, body: body).status == 403, "\(fields)")
    }
    #expect(try fixture.send("\(path)?\(body)", [cookie]).status == 405)
    let rebound = try fixture.send(
      path, method: "POST", host: "evil.example:\(fixture.port)", [cookie, origin], body: body)
    #expect(rebound.status == 421)
    #expect(fixture.service.requests.isEmpty)
    // The same form of the page itself is carried out.
    _ = try fixture.send(path, method: "POST", [cookie, origin, "Sec-Fetch-Site: same-origin"], body: body)
    #expect(fixture.service.requests.count == 1)
  }

  @Test("A change that the service never ends keeps no page waiting, and its browser may leave")
  func endless() async throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    fixture.service.respond { _ in .init(end: nil) }
    // More than the workers that make pages.
    let waiting = try (0..<12).map { _ in
      let client = try TestClient(port: fixture.port)
      try client.send(
        [
          "POST /status/refresh HTTP/1.1", "Host: 127.0.0.1:\(fixture.port)", cookie, origin,
          "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0", "", "",
        ].joined(separator: "\r\n"))
      return client
    }
    #expect(try await eventually { fixture.service.requests.count == waiting.count })
    #expect(try fixture.send("/", [cookie]).status == 200)
    for client in waiting { client.close() }
    #expect(try fixture.send("/", [cookie]).status == 200)
  }

  @Test("Content that is no form is refused, and so is a form with a malformed escape")
  func content() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let json = ["Content-Type: application/json", "Content-Length: 2"]
    let client = try TestClient(port: fixture.port)
    try client.send(
      (["POST /leave HTTP/1.1", "Host: 127.0.0.1:\(fixture.port)", cookie, origin] + json + ["", "{}"])
        .joined(separator: "\r\n"))
    #expect(try client.readResponse().status == 415)
    for body in ["a=%zz", Array(repeating: "a=b", count: WebQuery.mostValues + 1).joined(separator: "&")] {
      let form = try fixture.send("/leave", method: "POST", [cookie, origin], body: body)
      #expect(form.status == 400 && form.text.contains("<h1>This form cannot be read</h1>"), "\(form.text)")
      let address = try fixture.send("/?\(body)", [cookie])
      #expect(address.status == 400 && address.text.contains("<h1>This address is not correct</h1>"))
    }
    #expect(
      try fixture.send("/leave", method: "POST", [cookie, origin], body: String(repeating: "a", count: 65_537)).status
        == 413)
    #expect(try fixture.send("/", [cookie]).status == 200)
  }

  @Test("What is too large for the server is refused with a page that tells what to do, and shows nothing else")
  func tooLarge() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let origin = "Origin: http://127.0.0.1:\(fixture.port)"
    let long = String(repeating: "a", count: 65_537)
    let form = try fixture.send("/leave", method: "POST", [cookie, origin], body: long)
    let address = try fixture.send("/search?q=\(long)", [cookie])
    let fields = try fixture.send("/", (0..<8).map { "X-\($0): \(long.prefix(16_000))" })
    for (answer, status, advice) in [
      (form, 413, "choose smaller files"), (address, 414, "shorter text"), (fields, 431, "Delete the cookies"),
    ] {
      #expect(answer.status == status, "\(answer.head)")
      #expect(answer.field("Content-Type")?.hasPrefix("text/html") == true)
      #expect(answer.text.contains(advice), "\(answer.text)")
      #expect(answer.field("Content-Security-Policy")?.hasPrefix("default-src 'none'; ") == true)
      #expect(answer.field("Connection") == "close" && !answer.text.contains("<nav"))
      #expect(PageJudge(answer.text).faults == [])
    }
  }

  @Test(
    "A malformed request is refused, and nothing after it is read",
    arguments: [
      "GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n",
      "POST /leave HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
      "POST /leave HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
      "GET / HTTP/1.1\r\nHost : {host}\r\n\r\n", "GET / HTTP/1.1\r\nHost: {host}\r\n folded: x\r\n\r\n",
      "GET / HTTP/1.1\nHost: {host}\n\n", "GET /\0 HTTP/1.1\r\nHost: {host}\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: {host}\r\nA: b\rc\r\n\r\n",
      "POST /leave HTTP/1.0\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
      "POST /leave HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      "POST /leave HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: {host}/x\r\n\r\n", "GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    ])
  func smuggling(request: String) throws {
    let fixture = try WebFixture()
    let client = try TestClient(port: fixture.port)
    try client.send(request.replacing("{host}", with: "127.0.0.1:\(fixture.port)"))
    let answer = try client.readResponse()
    #expect([400, 421, 501].contains(answer.status), "\(answer.head)")
    if answer.status != 421 {
      // The connection ends, so nothing after the request is taken for another one.
      #expect(try client.receiveToEnd().isEmpty)
    }
  }

  @Test("Pages are answered while 300 connections are silent or send a byte at a time")
  func slowConnections() throws {
    let fixture = try WebFixture()
    let cookie = try fixture.enter()
    let silent = try (0..<150).map { _ in try TestClient(port: fixture.port) }
    let slow = try (0..<150).map { _ in
      let client = try TestClient(port: fixture.port)
      try client.send("GET / HTT")
      return client
    }
    for _ in 0..<20 { #expect(try fixture.send("/", [cookie]).status == 200) }
    withExtendedLifetime((silent, slow)) {}
  }
}
