import Platform
import TestSupport
import Testing

/// `homeline login` with names: the server is found behind the name that the user types, and no reference leads into the user's network.
@Suite("`homeline login` and the names of servers", .timeLimit(.minutes(5)), .needsPeers, .needs("unshare"))
struct NamedHostsTests {
  private static let instance = NamedHosts.Answer.body(
    #"{"domain":"social.example","title":"Birds","version":"4.5.2"}"#)
  private static let webFinger = NamedHosts.Answer.body(
    #"{"links":[{"rel":"self","type":"application/activity+json","href":"https://social.example/users/robin"}]}"#)
  private static let hostMeta = NamedHosts.Answer.body(
    #"<?xml version="1.0"?><XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="lrdd" template="https://social.example/.well-known/webfinger?resource={uri}"/></XRD>"#
  )

  private func hosts() async throws -> NamedHosts {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": 0 } }"#)
    return try await NamedHosts(home)
  }

  private func accountFiles(_ home: TestInstallation) throws -> [String] {
    let folder = "\(home.path)/config/homeline/config.d"
    return File.exists(folder) ? try home.names(in: folder) : []
  }

  @Test("A domain's server is found by each of its references, and the command names the reference")
  func splitDomain() async throws {
    var hosts = try await hosts()
    hosts.documents["social.example"] = ["/api/v2/instance": Self.instance, "/.well-known/webfinger": Self.webFinger]
    let ways: [(String, String, NamedHosts.Answer, String)] = [
      (
        "@robin@home.example", "webfinger",
        .redirect("https://social.example/.well-known/webfinger?resource=acct:robin@home.example"),
        "@robin@home.example is a user of social.example (WebFinger)"
      ),
      (
        "@robin@home.example", "host-meta", Self.hostMeta, "@robin@home.example is a user of social.example (WebFinger)"
      ),
      (
        "home.example", "host-meta", .redirect("https://social.example/.well-known/host-meta"),
        "home.example refers to social.example"
      ),
      ("home.example", "host-meta", Self.hostMeta, "home.example refers to social.example"),
      (
        "home.example", "nodeinfo", .redirect("https://social.example/.well-known/nodeinfo"),
        "home.example refers to social.example"
      ),
    ]
    for (typed, document, answer, text) in ways {
      hosts.documents["home.example"] = ["/.well-known/\(document)": answer]
      let outcome = try await hosts.run("login", typed, "--yes", "--timeout", "1", "--name", "a")
      #expect(outcome.error.contains("homeline: \(text)\n"), "\(typed) \(document): \(outcome.error)")
      let file = try JSONValue(file: "\(hosts.home.path)/config/homeline/config.d/a.json")
      #expect(file["server"].text == "social.example")
      try File.remove("\(hosts.home.path)/config/homeline/config.d/a.json")
    }
  }

  @Test(
    "If a host has no API, the command names the places that it tried and what to type, and writes nothing"
  )
  func nothing() async throws {
    let hosts = try await hosts()
    let outcome = try await hosts.run("login", "home.example", "--yes")
    #expect(outcome.code == 69)
    for text in [
      "https://home.example/.well-known/host-meta\n", "https://home.example/.well-known/nodeinfo\n",
      "homeline login @NAME@home.example", "home.example answers, but has none of these",
    ] {
      #expect(outcome.error.contains(text), "\(outcome.error)")
    }
    #expect(try accountFiles(hosts.home).isEmpty)
  }

  @Test(
    "A name with non-ASCII letters is shown as typed and sent as its A-label"
  )
  func letters() async throws {
    var hosts = try await hosts()
    hosts.documents["xn--mller-kva.example"] = ["/api/v2/instance": Self.instance]
    for typed in ["müller.example", "@robin@müller.example", "https://müller.example/@robin"] {
      let outcome = try await hosts.run("login", typed, "--yes", "--timeout", "1", "--name", "a")
      #expect(outcome.error.hasPrefix("homeline: detecting the API of müller.example"), "\(outcome.error)")
      #expect(outcome.log.contains("xn--mller-kva.example /api/v2/instance"), "\(outcome.log)")
      let list = try await hosts.run("account", "list")
      #expect(list.output.contains("müller.example"), "\(list.output)")
      try File.remove("\(hosts.home.path)/config/homeline/config.d/a.json")
    }
    try hosts.home.configure(
      #"{ "callback": { "port": 0 }, "accounts": { "a": { "provider": "mastodon", "server": "müller.example" } } }"#)
    let outcome = try await hosts.run("login", "a", "--timeout", "1")
    #expect(outcome.log.contains { $0.hasPrefix("xn--mller-kva.example ") }, "\(outcome.error)")
  }

  @Test("A reference into the user's network is not followed: the command names it, exits with 69 and writes nothing")
  func inwards() async throws {
    var hosts = try await hosts()
    let targets = [
      ("http://127.0.0.1:6379/x", "http://127.0.0.1:6379"), ("https://10.9.8.7/status", "10.9.8.7"),
      ("https://168364039/", "168364039"), ("https://0x0a090807/", "0x0a090807"),
      ("https://inner.example/x", "inner.example"), ("https://printer.lan/", "printer.lan"),
      ("https://localhost/", "localhost"),
    ]
    for (target, name) in targets {
      hosts.documents["social.example"] = [
        "/.well-known/nodeinfo": .redirect(target), "/api/v2/instance": Self.instance,
      ]
      let outcome = try await hosts.run("login", "social.example", "--yes")
      #expect(outcome.code == 69, "\(target): \(outcome.error)")
      #expect(
        outcome.error.hasSuffix(
          "social.example refers to \(name), which is inside your network; not followed. If it is really your server, name it: homeline login \(name)\n"
        ), "\(target): \(outcome.error)")
      #expect(!outcome.log.contains("inside"), "\(target)")
    }
    for target in ["http://127.0.0.1:6379/users/robin", "https://inner.example/users/robin"] {
      hosts.documents["social.example"] = [
        "/.well-known/webfinger": .body(
          #"{"links":[{"rel":"self","type":"application/activity+json","href":"\#(target)"}]}"#)
      ]
      let outcome = try await hosts.run("login", "@robin@social.example", "--yes")
      #expect(
        outcome.code == 69 && outcome.error.contains("which is inside your network; not followed"), "\(outcome.error)")
      #expect(!outcome.log.contains("inside"), "\(target)")
    }
    #expect(try accountFiles(hosts.home).isEmpty)
  }

  @Test("A server that the user names may be in the private network, and may refer to others there")
  func innerServer() async throws {
    var hosts = try await hosts()
    hosts.innerServers = ["10.9.8.7"]
    hosts.documents["10.9.8.7"] = ["/.well-known/nodeinfo": .redirect("https://inner.example/.well-known/nodeinfo")]
    hosts.documents["inner.example"] = ["/api/v2/instance": Self.instance]
    let outcome = try await hosts.run("login", "10.9.8.7", "--yes", "--timeout", "1", "--name", "a")
    #expect(outcome.error.contains("homeline: 10.9.8.7 refers to inner.example\n"), "\(outcome.error)")
    #expect(try accountFiles(hosts.home) == ["a.json"])
    let named = try await hosts.run("login", "inner.example", "--yes", "--timeout", "1", "--name", "b")
    #expect(named.error.contains("homeline: it has Mastodon's API"), "\(named.error)")
  }

  @Test("An issuer with a path is found, and the setting must match the server's own form of the slash")
  func issuer() async throws {
    var hosts = try await hosts()
    func metadata(_ issuer: String) -> NamedHosts.Answer {
      .body(
        #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)authorize","token_endpoint":"\#(issuer)token"}"#)
    }
    hosts.documents["id.example"] = [
      "/application/o/mail/.well-known/openid-configuration": metadata("https://id.example/application/o/mail/")
    ]
    for typed in ["https://id.example/application/o/mail", "id.example/application/o/mail/"] {
      let outcome = try await hosts.run("login", typed)
      #expect(
        outcome.code == 78 && outcome.error.contains("issues tokens but does not provide a timeline"),
        "\(outcome.error)")
    }
    try hosts.home.configure(
      #"""
      { "callback": { "port": 0 }, "accounts": { "mail": { "provider": "oauth2", "client_id": "i",
        "issuer": "https://id.example/application/o/mail" } } }
      """#)
    let outcome = try await hosts.run("login", "mail", "--timeout", "1")
    #expect(outcome.code == 78, "\(outcome.error)")
    // Another issuer on the same host is another server.
    hosts.documents["id.example"]?["/realms/b/.well-known/openid-configuration"] = metadata(
      "https://id.example/realms/b")
    let second = try await hosts.run("login", "https://id.example/realms/b")
    #expect(
      second.code == 78 && second.error.contains("issues tokens but does not provide a timeline"), "\(second.error)")
    #expect(!second.error.contains("the account mail"), "\(second.error)")
    #expect(
      outcome.error.contains(
        "The server calls itself https://id.example/application/o/mail/ (with a slash at the end); write it so"),
      "\(outcome.error)")
  }

  @Test("GNU social in a folder needs an application registered in that folder")
  func folder() async throws {
    var hosts = try await hosts()
    hosts.documents["example.org"] = ["/social/api/statusnet/config.json": .body(#"{"site":{"name":"Gnus"}}"#)]
    let outcome = try await hosts.run("login", "https://example.org/social/robin")
    #expect(
      outcome.code == 78 && outcome.error.contains("https://example.org/social/settings/oauthapps"), "\(outcome.error)")
  }
}
