import Bytes
import HTTP
import HomelineOAuth
import Testing

@testable import Discovery

@Suite struct ServerDiscoveryTests {
  private static let links =
    #"{"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://social.example/ni/2.0"},{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.1","href":"https://social.example/ni/2.1"}]}"#

  /// Runs the discovery on a server with these documents, which responds with 404 to any other path.
  private func discover(
    _ documents: [String: String], redirects: [String: String] = [:], at server: String = "https://social.example",
    user: String? = nil
  ) throws -> DiscoveredServer {
    let discovery = ServerDiscovery { (url, _) throws(DiscoveryError) in
      if let target = redirects[url.text] {
        var response = Response(status: StatusCode(302))
        if let location = FieldValue(target) { response.headers.set("Location", location) }
        return response
      }
      guard let document = documents[url.text] else { return Response(status: .notFound) }
      return Response(status: .ok, body: Array(document.utf8))
    }
    return try discovery.server(at: ServerAddress(RequestURL(server)), user: user)
  }

  private static let instance = #"{"domain":"social.example","title":"Birds","version":"4.5.2"}"#

  @Test("NodeInfo names a server's software, and the instance API shows that it has Mastodon's API")
  func mastodon() throws {
    let server = try discover([
      "https://social.example/.well-known/nodeinfo": Self.links,
      "https://social.example/ni/2.1": #"{"software":{"name":"mastodon","version":"4.5.2"}}"#,
      "https://social.example/api/v2/instance": Self.instance,
    ])
    #expect(server.api == .mastodon && server.software == "mastodon" && server.title == "Birds")
    #expect(
      server.findings == [
        "social.example identifies itself as mastodon 4.5.2 (NodeInfo)",
        "it has Mastodon's API (/api/v2/instance, version 4.5.2)",
      ])
    #expect(try DiscoveredServer(json: server.json) == server)
  }

  @Test("a server that has no NodeInfo and only version 1 of the instance API is also recognised")
  func oldServer() throws {
    let server = try discover(["https://social.example/api/v1/instance": #"{"uri":"social.example","version":"2.7.2"}"#]
    )
    #expect(server.api == .mastodon && server.version == "2.7.2")
  }

  @Test("WebFinger finds the server from a user's address")
  func webFinger() throws {
    let server = try discover(
      [
        "https://example.org/.well-known/webfinger?resource=acct:me@example.org":
          #"{"links":[{"rel":"self","type":"text/html","href":"https://no.example/"},{"rel":"self","type":"application/activity+json","href":"https://social.example/users/me"}]}"#,
        "https://social.example/api/v2/instance": Self.instance,
      ], at: "https://example.org", user: "me")
    #expect(server.base == (try RequestURL("https://social.example")) && server.api == .mastodon)
  }

  @Test(
    "a redirect to another server is followed and reported, unless it leads to plain HTTP or the redirects never end")
  func redirects() throws {
    let server = try discover(
      ["https://social.example/api/v2/instance": Self.instance],
      redirects: [
        "https://example.org/.well-known/nodeinfo": "https://social.example/.well-known/nodeinfo"
      ], at: "https://example.org")
    #expect(server.base == (try RequestURL("https://social.example")) && server.api == .mastodon)
    #expect(server.findings.first == "example.org refers to social.example")
    for target in ["http://social.example/.well-known/nodeinfo", "https://example.org/.well-known/nodeinfo"] {
      let same = try discover(
        [:], redirects: ["https://example.org/.well-known/nodeinfo": target], at: "https://example.org")
      #expect(same.base == (try RequestURL("https://example.org")) && same.api == .unknown)
    }
  }

  @Test("GNU social is recognised by its configuration")
  func gnuSocial() throws {
    let server = try discover(["https://social.example/api/statusnet/config.json": #"{"site":{"name":"Gnus"}}"#])
    #expect(server.api == .gnusocial && server.title == "Gnus")
  }

  @Test("OAuth metadata is used only if it names the server that sent it")
  func metadata() throws {
    func server(_ issuer: String) throws -> DiscoveredServer {
      try discover([
        "https://social.example/.well-known/oauth-authorization-server":
          #"{"issuer":"\#(issuer)","token_endpoint":"https://social.example/token"}"#
      ])
    }
    let own = try server("https://social.example/")
    #expect(own.api == .oauth2 && own.issuer == "https://social.example/")
    #expect(try server("https://other.example").api == .unknown)
  }

  @Test(
    "web pages, arrays, values of the wrong type and oversized documents are not accepted as server descriptions",
    arguments: [
      "<html>", "[]", #"{"domain":1,"version":2}"#, #"{"domain":"a","version":"#,
      #"{"domain":"a","version":"1","x":""# + String(repeating: " ", count: ServerDocument.byteLimit) + #""}"#,
    ])
  func strange(document: String) throws {
    let server = try discover([
      "https://social.example/api/v2/instance": document, "https://social.example/.well-known/nodeinfo": document,
    ])
    #expect(server.api == .unknown && server.findings == [])
  }

  @Test("NodeInfo on another server is not read, and long text is shortened")
  func foreignNodeInfo() throws {
    let server = try discover([
      "https://social.example/.well-known/nodeinfo": Self.links.replacing(
        "https://social.example", with: "https://other.example"),
      "https://other.example/ni/2.1": #"{"software":{"name":"mastodon","version":"4"}}"#,
      "https://social.example/api/v2/instance": #"{"domain":"a","version":"\#(String(repeating: "9", count: 500))"}"#,
    ])
    #expect(server.software == nil && server.version?.count == 80)
  }

  @Test("an unreachable server is an error, which is read back unchanged from its JSON")
  func unreachable() throws {
    let discovery = ServerDiscovery { (_, _) throws(DiscoveryError) in throw DiscoveryError("no route") }
    let error = #expect(throws: DiscoveryError.self) {
      try discovery.server(at: ServerAddress(RequestURL("https://social.example")), user: nil)
    }
    let again = #expect(throws: DiscoveryError.self) { try DiscoveredServer(json: try #require(error).json) }
    #expect(again?.description == "no route")
    #expect(throws: DiscoveryError.self) { try DiscoveredServer(json: []) }
  }
}
