import HTTP
import Settings
import Testing

@testable import Web

@Suite("Where a request to the web page may come from") struct AccessRulesTests {
  private static func verdict(
    _ method: RequestMethod = .get, host: String = "127.0.0.1:8766", with fields: [(FieldName, FieldValue)] = [],
    body: [UInt8] = []
  ) throws -> AccessRules.Verdict {
    let rules = AccessRules(
      port: 8766,
      origins: try ["https://box.example", "https://b.example:8443"].map {
        try #require(WebOrigin($0))
      })
    var headers: HeaderFields = [:]
    headers.append(.host, try #require(FieldValue(host)))
    for (name, value) in fields { headers.append(name, value) }
    return rules.judge(
      Request(method: method, target: try #require(RequestTarget("/")), headers: headers, body: body))
  }

  /// The status of a refusal; 200 for an allowed request, and 0 for a link on another page.
  private static func status(_ verdict: AccessRules.Verdict) -> Int {
    switch verdict {
    case .allowed: 200
    case .fromElsewhere: 0
    case .refused(let error): error.status.code
    }
  }

  @Test(
    "Only this port on loopback, and the configured origins, are served",
    arguments: [
      ("127.0.0.1:8766", 200), ("localhost:8766", 200), ("LOCALHOST:8766", 200), ("[::1]:8766", 200),
      ("box.example", 200), ("BOX.example:443", 200), ("b.example:8443", 200), ("127.0.0.1", 421),
      ("127.0.0.1:8767", 421),
      ("evil.example:8766", 421), ("127.0.0.1.evil.example:8766", 421), ("localhost.:8766", 421),
      ("box.example:8766", 421),
      ("box.example.", 421), ("b.example", 421), ("xbox.example", 421), ("", 421),
    ])
  func hosts(host: String, status: Int) throws {
    #expect(Self.status(try Self.verdict(host: host)) == status)
  }

  @Test(
    "A form is accepted only with exactly the origin of its page",
    arguments: [
      ("http://127.0.0.1:8766", 200), ("http://127.0.0.1", 403), ("http://127.0.0.1:8767", 403),
      ("https://127.0.0.1:8766", 403), ("http://localhost:8766", 403), ("null", 403), ("http://127.0.0.1:8766/", 403),
      ("HTTP://127.0.0.1:8766", 403), ("https://box.example", 403),
    ] as [(FieldValue, Int)])
  func origins(origin: FieldValue, status: Int) throws {
    #expect(Self.status(try Self.verdict(.post, with: [("Origin", origin)])) == status)
    // A page of the same origin that says it comes from elsewhere does not exist.
    for site in ["same-site", "cross-site", "unknown"] as [FieldValue] {
      #expect(Self.status(try Self.verdict(.post, with: [("Origin", origin), ("Sec-Fetch-Site", site)])) == 403)
    }
    #expect(
      Self.status(try Self.verdict(.post, with: [("Origin", origin), ("Sec-Fetch-Site", "same-origin")])) == status)
  }

  @Test("A form without an origin, or with two of them, is refused")
  func withoutOrigin() throws {
    let own: FieldValue = "http://127.0.0.1:8766"
    #expect(Self.status(try Self.verdict(.post)) == 403)
    #expect(Self.status(try Self.verdict(.post, with: [("Sec-Fetch-Site", "same-origin")])) == 403)
    #expect(Self.status(try Self.verdict(.post, with: [("Origin", own), ("Origin", own)])) == 403)
    for method in [.put, .delete, .patch] as [RequestMethod] { #expect(Self.status(try Self.verdict(method)) == 403) }
  }

  @Test("A front server's form has the front server's origin")
  func frontServer() throws {
    #expect(Self.status(try Self.verdict(.post, host: "box.example", with: [("Origin", "https://box.example")])) == 200)
    #expect(Self.status(try Self.verdict(.post, host: "box.example", with: [("Origin", "http://box.example")])) == 403)
    #expect(
      Self.status(try Self.verdict(.post, host: "box.example", with: [("Origin", "http://127.0.0.1:8766")])) == 403)
    #expect(
      Self.status(try Self.verdict(.post, host: "b.example:8443", with: [("Origin", "https://b.example:8443")])) == 200)
  }

  @Test("A link on another page asks first; everything else from another page is refused")
  func elsewhere() throws {
    for site in ["cross-site", "same-site", "something-new"] as [FieldValue] {
      let link: [(FieldName, FieldValue)] = [
        ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
      ]
      #expect(Self.status(try Self.verdict(with: link)) == 0)
      for (mode, destination) in [
        ("no-cors", "image"), ("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe"),
      ]
        as [(FieldValue, FieldValue)]
      {
        let request =
          [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", destination)]
          as [(FieldName, FieldValue)]
        #expect(Self.status(try Self.verdict(with: request)) == 403)
      }
      // A WebSocket and an EventSource.
      #expect(Self.status(try Self.verdict(with: [("Sec-Fetch-Site", site), ("Upgrade", "websocket")])) == 403)
      #expect(Self.status(try Self.verdict(with: [("Sec-Fetch-Site", site), ("Origin", "http://127.0.0.1:9")])) == 403)
    }
    for site in ["none", "same-origin"] as [FieldValue] {
      #expect(Self.status(try Self.verdict(with: [("Sec-Fetch-Site", site)])) == 200)
    }
    #expect(Self.status(try Self.verdict(with: [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "none")])) == 0)
  }

  @Test("A GET request with content is refused")
  func content() throws { #expect(Self.status(try Self.verdict(body: [1])) == 400) }
}
