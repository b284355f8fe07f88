import Platform
import TestSupport
import Testing

/// Requests made through DNS rebinding, and requests that two parsers would split differently.
@Suite("Forged requests to the login listener") struct ListenerRequestTests {
  /// Requests with a wrong host. `PORT` is replaced with the listener's port.
  private static let strangeHosts: [(host: String, status: Int)] = [
    ("attacker.example", 421), ("attacker.example:PORT", 421), ("127.0.0.1.attacker.example:PORT", 421),
    ("localhost.attacker.example:PORT", 421), ("127.0.0.1", 421), ("127.0.0.1:1", 421), ("localhost:1", 421),
    ("127.0.0.1.:PORT", 421), ("localhost.:PORT", 421), ("[::ffff:127.0.0.1]:PORT", 421), ("[::ffff:7f00:1]:PORT", 421),
    ("[0:0:0:0:0:0:0:1]:PORT", 421), ("[::]:PORT", 421), ("0.0.0.0:PORT", 421), ("127.1:PORT", 421),
    ("2130706433:PORT", 421), ("0x7f.0.0.1:PORT", 421), ("127.0.0.2:PORT", 421), ("%31%32%37.0.0.1:PORT", 421),
    (":PORT", 421), ("", 421), ("127.0.0.1:", 421), ("user@127.0.0.1:PORT", 400),
    ("127.0.0.1:PORT@attacker.example", 400),
    ("127.0.0.1:PORT:PORT", 400), ("127.0.0.1:PORT/", 400), ("127.0.0.1:PORT, attacker.example", 400),
    ("127.0.0.1 attacker.example", 400), ("127.0.0.1:-1", 400), ("127.0.0.1:PORT1", 400), ("[::1", 400),
    ("::1:PORT", 400),
  ]

  @Test("Requests with a foreign Host header do not reach the login")
  func hosts() async throws {
    let abused = try await LoginUnderAttack()
    let callback = abused.callback
    let wrong = try await OwnThread.run {
      var wrong: [String] = []
      for (host, status) in Self.strangeHosts {
        let host = host.replacing("PORT", with: "\(callback.port)")
        // The token is correct; only the host is wrong.
        let response = try ScriptedBrowser().send("GET", callback, host: host)
        if response.status != status { wrong.append("\(host): \(response.status)") }
        // A host in the request target overrides the Host field (RFC 9112 §3.2.2).
        guard status == 421, !host.isEmpty else { continue }
        let connection = try TestClient(port: callback.port)
        try connection.send(
          "GET http://\(host)\(callback.target) HTTP/1.1\r\nHost: \(callback.authority)\r\nConnection: close\r\n\r\n")
        let again = try connection.readResponse()
        if ![400, 421].contains(again.status) { wrong.append("\(host) in the target: \(again.status)") }
      }
      let own = "Host: \(callback.authority)"
      for fields in [[own, own], [own, "Host: attacker.example"], ["Host: attacker.example", own], []] {
        let connection = try TestClient(port: callback.port)
        try connection.send((["GET \(callback.target) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n"))
        let response = try connection.readResponse()
        if response.status != 400 { wrong.append("\(fields): \(response.status)") }
      }
      let old = try TestClient(port: callback.port)
      try old.send("GET \(callback.target) HTTP/1.0\r\n\r\n")
      let response = try old.readResponse()
      if response.status != 421 { wrong.append("HTTP/1.0 without Host: \(response.status)") }
      return wrong
    }
    #expect(wrong.isEmpty, "\(wrong)")
    try await abused.finish()
  }

  /// Requests that two parsers could split differently. Each is followed by the login's own callback with a wrong
  /// verifier, which would end the login. `HOST` is replaced with the listener's host.
  private static let ambiguous = [
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\nContent-Length: 400\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0, 400\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: +0\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0x0\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "POST /callback HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "POST /callback HTTP/1.0\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\nX-Folded: a\r\n b\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\n X: leading\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\nX: a\rb\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\nNo colon\r\n\r\n",
    "GET  /x HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "GET /x y HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "GET /x HTTP/1.1 \r\nHost: HOST\r\n\r\n",
    "GET /x HTTP/2.0\r\nHost: HOST\r\n\r\n",
    "GET /x\r\nHost: HOST\r\n\r\n",
    "GET /x HTTP/1.1\nHost: HOST\n\n",
    "GET /x HTTP/1.1\r\nHost: attacker.example\nHost: HOST\r\n\r\n",
    "GET /x HTTP/1.1\r\nHost: HOST\r\nX: a\nContent-Length: 400\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ]

  @Test("An ambiguous request is refused and its connection closed, so a callback smuggled after it is never read")
  func smuggling() async throws {
    let abused = try await LoginUnderAttack()
    let (callback, token) = (abused.callback, abused.token)
    let hidden =
      "GET \(callback.path)?oauth_token=\(token)&oauth_verifier=smuggled HTTP/1.1\r\nHost: \(callback.authority)\r\n\r\n"
    let wrong = try await OwnThread.run {
      try Self.ambiguous.filter { shape in
        let connection = try TestClient(port: callback.port)
        try connection.send(shape.replacing("HOST", with: callback.authority) + hidden)
        let responses = String(decoding: (try? connection.receiveToEnd()) ?? [], as: UTF8.self)
        let statuses = responses.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
        return statuses.count > 1 || !statuses.allSatisfy { $0.hasPrefix("HTTP/1.1 4") || $0.hasPrefix("HTTP/1.1 5") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong)")
    try await abused.finish()
  }
}
