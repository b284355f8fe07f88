import Bytes
import Testing

@Suite("Request URLs")
struct RequestURLTests {
  @Test("a URL is split into its parts and written back unchanged")
  func parts() throws {
    let url = try RequestURL("HTTPS://API.Example.com:8443/a%2fb//../c?x=%zz&y#frag")
    #expect(url.scheme == "https")
    #expect(url.host == "api.example.com")
    #expect(url.port == 8443)
    #expect(url.path == "/a%2fb//../c")
    #expect(url.query == "x=%zz&y")
    #expect(url.authority == "api.example.com:8443")
    #expect(url.origin == "https://api.example.com:8443")
    #expect(url.text == "https://api.example.com:8443/a%2fb//../c?x=%zz&y")
    #expect("\(url)" == url.text)
  }

  @Test("a URL's empty path becomes a slash, with or without a query")
  func emptyPath() throws {
    #expect(try RequestURL("http://h").text == "http://h/")
    #expect(try RequestURL("http://h?a=1").text == "http://h/?a=1")
    #expect(try RequestURL("http://h#f").text == "http://h/")
  }

  @Test("a URL without a query is distinguished from one with an empty query")
  func emptyQuery() throws {
    #expect(try RequestURL("http://h/p").query == nil)
    #expect(try RequestURL("http://h/p?").query == "")
    #expect(try RequestURL("http://h/p?").text == "http://h/p?")
  }

  @Test(
    "only the scheme's default port is omitted from authority, origin and base string URI",
    arguments: [
      ("http://h:80/", "h"), ("https://h:443/", "h"), ("http://h:443/", "h:443"), ("https://h:80/", "h:80"),
      ("http://h:/", "h"), ("http://h:0080/", "h"), ("http://[::1]:8765/", "[::1]:8765"),
    ])
  func defaultPorts(text: String, authority: String) throws {
    let url = try RequestURL(text)
    #expect(url.authority == authority)
    #expect(url.baseStringURI == "\(url.scheme)://\(authority)/")
  }

  @Test(
    "if a URL cannot be signed and sent, the error states the reason",
    arguments: [
      ("http://user@h/", RequestURLError.userInformation), ("http://u:p@h/", .userInformation),
      ("http:///p", .missingHost), ("http://:80/", .missingHost), ("http://", .missingHost),
      ("http://h:0/", .badPort), ("http://h:65536/", .badPort), ("http://h:8a/", .badPort), ("http://h:-1/", .badPort),
      ("http://h:1:2/", .badPort),
      ("ftp://h/", .unsupportedScheme), ("//h/", .unsupportedScheme), ("", .unsupportedScheme),
      ("http:/h/", .unsupportedScheme), ("httpss://h/", .unsupportedScheme),
      ("http://h/a b", .forbiddenCharacter(" ")), ("http://h/\r\n", .forbiddenCharacter("\r")),
      ("http://h/é", .forbiddenCharacter("é")), ("http://h/\u{7F}", .forbiddenCharacter("\u{7F}")),
      ("http://h\\@evil/", .userInformation), ("http://h\\evil/", .badHost), ("http://[::1/", .badHost),
      ("http://[h]/", .badHost), ("http://[::1]x/", .badHost), ("http://%68/", .badHost),
    ])
  func refusals(text: String, error: RequestURLError) {
    #expect(throws: error) { try RequestURL(text) }
    #expect(!error.description.isEmpty)
  }

  @Test("a character that must be encoded is named, without bytes and offsets")
  func characters() {
    for (text, name) in [
      ("http://h/é", "“é”"), ("http://h/a b", "a space"), ("http://h/\t", "a tab"), ("http://h/\r\n", "a line break"),
      ("http://h/\u{202E}", "an invisible character (U+202E)"), ("http://h/\u{7}", "an invisible character (U+7)"),
    ] {
      let error = #expect(throws: RequestURLError.self) { try RequestURL(text) }
      #expect(error?.description == "The URL contains \(name), which must be percent-encoded.")
    }
  }

  @Test("a URL of the maximum length is accepted, and a longer one is refused")
  func limit() throws {
    let available = RequestURL.byteLimit - "http://h/".utf8.count
    #expect(try RequestURL("http://h/" + String(repeating: "a", count: available)).path.utf8.count == available + 1)
    #expect(throws: RequestURLError.tooLong(bytes: RequestURL.byteLimit + 1, limit: RequestURL.byteLimit)) {
      try RequestURL("http://h/" + String(repeating: "a", count: available + 1))
    }
  }

  @Test(
    "only hosts that are certainly this machine count as loopback",
    arguments: [
      ("127.0.0.1", true), ("127.255.255.254", true), ("localhost", true), ("LOCALHOST", true), ("[::1]", true),
      ("128.0.0.1", false), ("127.0.0.1.evil.com", false), ("127.evil.com", false), ("127.0.0.256", false),
      ("127.1", false), ("localhost.evil.com", false), ("10.0.0.1", false), ("[::2]", false), ("127.0.0.", false),
    ])
  func loopback(host: String, expected: Bool) throws {
    #expect(try RequestURL("http://\(host):8080/").isLoopback == expected)
  }

  @Test("a server's URL is built from the Host header and the request target")
  func serverSide() throws {
    let url = try RequestURL(scheme: "http", hostHeader: "API.Example.net:80", target: "/1/me?x=1")
    #expect(url.baseStringURI == "http://api.example.net/1/me")
    #expect(url.query == "x=1")
    #expect(throws: RequestURLError.badHost) { try RequestURL(scheme: "http", hostHeader: "h/p", target: "/") }
    #expect(throws: RequestURLError.badHost) { try RequestURL(scheme: "http", hostHeader: "h?x", target: "/") }
    #expect(throws: RequestURLError.missingHost) { try RequestURL(scheme: "http", hostHeader: "", target: "/") }
    #expect(throws: RequestURLError.badTarget) { try RequestURL(scheme: "http", hostHeader: "h", target: "*") }
    #expect(throws: RequestURLError.unsupportedScheme) { try RequestURL(scheme: "ws", hostHeader: "h", target: "/") }
  }
}
