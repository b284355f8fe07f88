import HTTP
import Testing
import TestSupport

@testable import Web

@Suite("The paths and addresses of pages") struct WebPathTests {
  private static func path(_ text: String) -> [String]? {
    RequestTarget(text).flatMap { WebPath($0) }?.components
  }

  @Test("A path is decoded once, component by component")
  func decoded() {
    #expect(Self.path("/") == [])
    #expect(Self.path("/a/bird") == ["a", "bird"])
    #expect(Self.path("/a/bird/list:Caf%C3%A9%20%E2%98%95?x=/y") == ["a", "bird", "list:Café ☕"])
    #expect(Self.path("/%61/%2562") == ["a", "%62"])
    #expect(Self.path("/a/b+c") == ["a", "b+c"])
    #expect(Self.path("/v/x~1y~0z") == ["v", "x/y~z"])
    #expect(Self.path("/%2e%2e%2e") == ["..."])
  }

  @Test(
    "A path that another program could understand differently is refused",
    arguments: [
      "//", "//evil.example/", "/a//b", "/a/", "/./a", "/a/..", "/../etc/passwd", "/%2e%2e/x", "/.%2E/x", "/%2e",
      "/a%2fb",
      "/a%2Fb", "/%00", "/a%00b", "/a%0d%0aX: y", "/a%0A", "/a%7f", "/a%", "/a%4", "/a%zz", "/a%ff", "/a%c0%af",
      "/a%ed%a0%80",
      "/a~", "/a~2", "/1/2/3/4/5/6/7/8/9", "/m/" + String(repeating: "a", count: 8000),
      "/m/" + String(repeating: "%61", count: 2000), "*",
    ])
  func refused(path: String) {
    #expect(Self.path(path) == nil)
  }

  @Test("Any text in an address comes back unchanged, and the address contains only unreserved characters")
  func roundTrip() throws {
    for text in HostileTexts.all + ["a/b", "~", "~1", "a~0b", "list:~/x", "%2f", "👩‍👩‍👧", "ä\u{308}"] {
      guard !text.isEmpty, text.utf8.count <= 512, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { continue }
      let address = WebAddress("a", text).with("q", text).with("q", "")
      #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"'<>\\#".utf8.contains($0) })
      #expect(!address.text.contains("//"))
      let target = try #require(RequestTarget(address.text))
      #expect(WebPath(target)?.components == ["a", text], "\(address.text)")
      let query = try WebQuery(Array((target.query ?? "").utf8))
      #expect(query.values.map(\.value) == [text, ""])
    }
  }

  @Test("A pattern matches only paths of its own length, and returns the named components")
  func patterns() throws {
    let pattern: PathPattern = "/a/{account}/p/{id}"
    func match(_ path: String) -> [String: String]? {
      RequestTarget(path).flatMap { WebPath($0) }.flatMap(pattern.match)
    }
    #expect(match("/a/bird/p/1%2E5") == ["account": "bird", "id": "1.5"])
    for path in ["/a/bird/p", "/a/bird/q/1", "/a/bird/p/1/2", "/", "/A/bird/p/1"] { #expect(match(path) == nil) }
    #expect(("/" as PathPattern).match(try #require(RequestTarget("/").flatMap { WebPath($0) })) == [:])
  }

  @Test("A form has a limited number of values, and malformed escapes are refused")
  func forms() throws {
    #expect(try WebQuery(Array("q=a+b%26&q=&=x&r".utf8)).values.filter { $0.name == "q" }.map(\.value) == ["a b&", ""])
    #expect(throws: WebError.self) { try WebQuery(Array("q=%zz".utf8)) }
    let many = Array(repeating: "a=b", count: WebQuery.mostValues + 1).joined(separator: "&")
    #expect(throws: WebError.self) { try WebQuery(Array(many.utf8)) }
  }
}
