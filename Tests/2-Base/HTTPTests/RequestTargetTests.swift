import Testing

@testable import HTTP

@Suite("The request target (RFC 9112 §3.2)")
struct RequestTargetTests {
  @Test("a target in origin form contains the path and query, which are not decoded (§3.2.1)")
  func origin() throws {
    let target = try #require(RequestTarget("/a/%2e%2E/b?c=d?e&f=%00"))
    #expect(target.form == .origin)
    #expect(target.path == "/a/%2e%2E/b")
    #expect(target.query == "c=d?e&f=%00")
    #expect(RequestTarget("/")?.query == nil)
    #expect(RequestTarget("/?")?.query == "")
    #expect(RequestTarget("//evil.example/x")?.path == "//evil.example/x")
  }

  @Test("a target in absolute form contains the scheme, authority, path and query (§3.2.2)")
  func absolute() throws {
    let target = try #require(RequestTarget("HTTP://[::1]:8765/a?b"))
    #expect(target.form == .absolute(scheme: "http", authority: Authority(host: "[::1]", port: 8765)))
    #expect(target.path == "/a" && target.query == "b")
    let bare = try #require(RequestTarget("http://localhost?q"))
    #expect(bare.path == "/" && bare.query == "q")
  }

  @Test("the authority of a target in absolute form replaces the Host field (§3.2.2)")
  func authority() throws {
    let request = try request(in: "GET http://localhost:1/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    #expect(request.authority == Authority(host: "localhost", port: 1))
    let plain = try HTTPTests.request(in: "GET / HTTP/1.1\r\nHost: localhost:2\r\n\r\n")
    #expect(plain.authority == Authority(host: "localhost", port: 2))
  }

  @Test("a target in authority form requires CONNECT; a target in asterisk form requires OPTIONS (§3.2.3, §3.2.4)")
  func others() throws {
    #expect(
      RequestTarget("example.org:80", of: .connect)?.form == .authority(Authority(host: "example.org", port: 80)))
    #expect(RequestTarget("*", of: .options)?.form == .asterisk)
    #expect(RequestTarget("*", of: .get) == nil)
  }

  @Test("characters that browsers do not escape in queries are accepted in a target")
  func lenient() {
    #expect(RequestTarget("/?a=|^{}`\\[]\"<>") != nil)
  }

  @Test("the description of a target omits the query, which may contain a verifier")
  func description() {
    #expect(RequestTarget("/callback?oauth_verifier=secret").map(String.init(describing:)) == "/callback")
  }
}
