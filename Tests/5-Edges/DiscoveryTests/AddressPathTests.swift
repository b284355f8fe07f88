import Bytes
import HomelineOAuth
import Testing

@testable import Discovery

@Suite("Servers in a folder of a host") struct AddressPathTests {
  private func metadata(_ issuer: String) -> String {
    #"{"issuer":"\#(issuer)","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"}"#
  }

  @Test(
    "an issuer with a path is found where OpenID Connect and RFC 8414 place its metadata, with or without a final slash",
    arguments: [
      ("realms/main", "/realms/main/.well-known/openid-configuration", "realms/main"),
      ("realms/main", "/.well-known/oauth-authorization-server/realms/main", "realms/main"),
      ("application/o/mail/", "/application/o/mail/.well-known/openid-configuration", "application/o/mail/"),
      ("application/o/mail", "/application/o/mail/.well-known/openid-configuration", "application/o/mail/"),
      ("realms/main/", "/realms/main/.well-known/openid-configuration", "realms/main"),
      // A page below the issuer.
      ("realms/main/account/#/", "/realms/main/.well-known/openid-configuration", "realms/main"),
    ])
  func issuer(typed: String, document: String, issuer: String) throws {
    let web = SimulatedWeb()
    web.add("https://id.example\(document)", metadata("https://id.example/\(issuer)"))
    let server = try web.discover("https://id.example/\(typed)")
    #expect(server.api == .oauth2 && server.issuer == "https://id.example/\(issuer)", "\(server)")
    #expect(!web.requests.contains { $0.url.dropFirst("https://".count).contains("//") })
    #expect(!web.wasAsked("https://id.example/api/v2/instance"))
  }

  @Test("metadata at the root that names an issuer with a path is used if that issuer's own metadata confirms it")
  func named() throws {
    let web = SimulatedWeb()
    web.add("https://id.example/.well-known/openid-configuration", metadata("https://id.example/oidc"))
    #expect(try web.discover("id.example").api == .unknown)
    web.add("https://id.example/oidc/.well-known/openid-configuration", metadata("https://id.example/oidc"))
    #expect(try web.discover("id.example").issuer == "https://id.example/oidc")
  }

  @Test("metadata of another issuer on the same host is not used; another host's is named")
  func foreign() throws {
    let web = SimulatedWeb()
    web.add("https://id.example/realms/a/.well-known/openid-configuration", metadata("https://id.example/realms/b"))
    #expect(try web.discover("https://id.example/realms/a").api == .unknown)
    web.add("https://id.example/.well-known/openid-configuration", metadata("https://other.example/x"))
    let server = try web.discover("id.example")
    #expect(server.api == .unknown)
    #expect(
      server.findings == [
        "its OAuth metadata (/.well-known/openid-configuration) belongs to other.example/x"
      ])
  }

  @Test(
    "GNU social in a folder is found by its address, by a page in it, and by a user's address",
    arguments: [
      "https://example.org/social", "example.org/social/", "https://example.org/social/robin",
      "https://example.org/social/@robin", "@robin@example.org",
    ])
  func gnuSocial(typed: String) throws {
    let web = SimulatedWeb()
    web.add("https://example.org/social/api/statusnet/config.json", #"{"site":{"name":"Gnus"}}"#)
    web.redirect(
      "https://example.org/.well-known/webfinger", to: "https://example.org/social/.well-known/webfinger")
    web.add(
      "https://example.org/social/.well-known/webfinger",
      #"{"links":[{"rel":"self","type":"application/activity+json","href":"https://example.org/social/user/1"}]}"#)
    let server = try web.discover(typed)
    #expect(try server.api == .gnusocial && server.base == RequestURL("https://example.org/social"), "\(server)")
  }

  @Test(
    "the address of any page finds a server with its API at the root",
    arguments: ["/about", "/web/home", "/@me/115", "/users/me"])
  func page(path: String) throws {
    let web = SimulatedWeb()
    web.addMastodon("social.example")
    let server = try web.discover("https://social.example\(path)")
    #expect(try server.api == .mastodon && server.base == RequestURL("https://social.example"))
  }

  @Test("what a server says about itself is one line without control characters")
  func lines() throws {
    let web = SimulatedWeb()
    web.add(
      "https://social.example/.well-known/nodeinfo",
      #"{"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.1","href":"https://social.example/ni"}]}"#)
    web.add(
      "https://social.example/ni",
      #"{"software":{"name":"masto\ndon\u001b[31m\u202e","version":"4\r\nhomeline: ok\u2028"}}"#)
    web.add("https://social.example/api/v2/instance", #"{"domain":"a","version":"1\n2","title":"a\tb\u0007"}"#)
    let server = try web.discover("social.example")
    #expect(server.software == "masto don[31m" && server.version == "4 homeline: ok" && server.title == "a b")
    #expect(server.findings.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } })
  }
}
