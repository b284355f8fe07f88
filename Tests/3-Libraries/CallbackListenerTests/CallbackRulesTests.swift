import CallbackListener
import HTTP
import Testing

@Suite struct CallbackRulesTests {
  private let rules = CallbackRules(path: "/callback", port: 8765)

  private func decide(_ text: String) throws -> CallbackRules.Decision {
    var parser = RequestParser(limits: .callback)
    parser.feed(Array(text.replacing("\n", with: "\r\n").utf8))
    guard case .request(let request) = parser.next() else { throw Unparsed() }
    return rules.decide(request)
  }

  private struct Unparsed: Error {}

  private func status(_ text: String) throws -> Int? {
    if case .refuse(let status, _) = try decide(text) { status.code } else { nil }
  }

  @Test("only GET and HEAD requests for the callback path are passed to a login")
  func routes() throws {
    #expect(try status("GET /favicon.ico HTTP/1.1\nHost: 127.0.0.1:8765\n\n") == 404)
    #expect(try status("GET /callback/ HTTP/1.1\nHost: 127.0.0.1:8765\n\n") == 404)
    #expect(try status("GET /callbackx?oauth_token=T HTTP/1.1\nHost: 127.0.0.1:8765\n\n") == 404)
    #expect(try status("DELETE /callback HTTP/1.1\nHost: 127.0.0.1:8765\n\n") == 405)
    #expect(try status("POST /callback HTTP/1.1\nHost: 127.0.0.1:8765\nContent-Length: 5\n\n") == 405)
    #expect(try status("GET /callback HTTP/1.1\nHost: 127.0.0.1:8765\nContent-Length: 5\n\n") == 400)
    guard case .callback(let query, true, true) = try decide("GET /callback?a=b HTTP/1.1\nHost: LOCALHOST:8765\n\n")
    else {
      Issue.record("not a callback")
      return
    }
    #expect(query == "a=b")
  }

  @Test("a 405 response lists the allowed methods")
  func allow() throws {
    guard case .refuse(let status, let page) = try decide("PUT /callback HTTP/1.1\nHost: [::1]:8765\n\n") else {
      Issue.record("PUT is accepted")
      return
    }
    #expect(page.response(status, for: "Test").headers.first("Allow") == "GET, HEAD")
  }

  @Test(
    "a request with a foreign Host is refused, because any host name could resolve to this machine",
    arguments: [
      "evil.example:8765", "127.0.0.1:8766", "127.0.0.1", "127.0.0.1.evil.example:8765", "[::2]:8765", "0.0.0.0:8765",
    ])
  func rebinding(host: String) throws {
    #expect(try status("GET /callback HTTP/1.1\nHost: \(host)\n\n") == 421)
  }

  @Test("a HEAD request is treated like a GET request, but does not use up the redirect")
  func head() throws {
    guard case .callback(_, _, consumes: false) = try decide("HEAD /callback?a=b HTTP/1.1\nHost: 127.0.0.1:8765\n\n")
    else {
      Issue.record("HEAD consumes")
      return
    }
  }

  @Test(
    "a request from fetch() or for an image is not a navigation; one for a page or without Sec-Fetch fields is"
  )
  func destination() throws {
    func isNavigation(_ field: String) throws -> Bool? {
      let text = "GET /callback?error=access_denied HTTP/1.1\nHost: 127.0.0.1:8765\n\(field)\n"
      if case .callback(_, let isNavigation, _) = try decide(text) { return isNavigation }
      return nil
    }
    #expect(try isNavigation("") == true)
    #expect(try isNavigation("Sec-Fetch-Dest: document\n") == true)
    #expect(try isNavigation("Sec-Fetch-Dest: image\n") == false)
    #expect(try isNavigation("Sec-Fetch-Dest: empty\n") == false)
    #expect(try isNavigation("Sec-Fetch-Site: cross-site\n") == true)
  }

  @Test(
    "a prefetch or WebSocket request is not a navigation, even without Sec-Fetch fields or if labelled as a document",
    arguments: [
      "Origin: http://attacker.example\nUpgrade: websocket\nConnection: Upgrade", "Upgrade: websocket",
      "Sec-Fetch-Dest: document\nSec-Fetch-Mode: navigate\nSec-Purpose: prefetch",
      "Sec-Fetch-Dest: document\nSec-Purpose: prefetch;prerender", "Purpose: prefetch", "Origin: null",
    ])
  func unseen(fields: String) throws {
    let text = "GET /callback?error=access_denied HTTP/1.1\nHost: 127.0.0.1:8765\n\(fields)\n\n"
    guard case .callback(_, isNavigation: false, _) = try decide(text) else {
      Issue.record("the request counts as a navigation")
      return
    }
  }
}
