import Bytes
import HTTP
import Testing

@testable import Discovery

/// A host whose accounts are on another server.
@Suite("Hosts that refer to another server") struct SplitDomainTests {
  private static let hostMeta = """
    <?xml version="1.0" encoding="UTF-8"?>
    <XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
      <Link rel="lrdd" template="https://social.example/.well-known/webfinger?resource={uri}"/>
    </XRD>
    """

  private func web() -> SimulatedWeb {
    let web = SimulatedWeb()
    web.addMastodon("social.example", users: ["robin@home.example", "acct%3Arobin%40home.example"])
    web.add(
      "https://social.example/.well-known/webfinger",
      #"{"links":[{"rel":"self","type":"application/activity+json","href":"https://social.example/users/robin"}]}"#)
    return web
  }

  private func expectFound(_ server: DiscoveredServer) throws {
    #expect(server.base == (try RequestURL("https://social.example")) && server.api == .mastodon, "\(server)")
  }

  @Test("WebFinger redirected to the server finds it")
  func redirectedWebFinger() throws {
    let web = web()
    web.redirect(
      "https://home.example/.well-known/webfinger",
      to: "https://social.example/.well-known/webfinger?resource=acct:robin@home.example")
    let server = try web.discover("@robin@home.example")
    try expectFound(server)
    #expect(server.findings.first == "@robin@home.example is a user of social.example (WebFinger)")
  }

  @Test(
    "the template in a host-meta document leads to the user's server, in XML and in JSON", arguments: [true, false])
  func template(isXML: Bool) throws {
    let web = web()
    if isXML {
      web.add("https://home.example/.well-known/host-meta", Self.hostMeta)
    } else {
      web.add(
        "https://home.example/.well-known/host-meta.json",
        #"{"links":[{"rel":"lrdd","template":"https://social.example/.well-known/webfinger?resource={uri}"}]}"#)
    }
    try expectFound(try web.discover("@robin@home.example"))
    #expect(web.wasAsked("https://social.example/.well-known/webfinger?resource=acct%3Arobin%40home.example"))
    // Without a user, the host of the template is the server.
    let server = try web.discover("home.example")
    try expectFound(server)
    #expect(server.findings.first == "home.example refers to social.example")
  }

  @Test(
    "a host that redirects a well-known document to its server is followed there",
    arguments: ["nodeinfo", "host-meta"], [301, 302, 307, 308])
  func redirect(document: String, status: Int) throws {
    for name in ["home.example", "@robin@home.example"] {
      let web = web()
      web.redirect(
        "https://home.example/.well-known/\(document)", to: "https://social.example/.well-known/\(document)",
        status: status)
      let server = try web.discover(name)
      try expectFound(server)
      #expect(server.findings.contains("home.example refers to social.example"), "\(server.findings)")
    }
  }

  @Test("a NodeInfo link to another server is a reference to that server")
  func nodeInfoLink() throws {
    let web = web()
    web.add(
      "https://home.example/.well-known/nodeinfo",
      #"{"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://social.example/nodeinfo/2.0"}]}"#
    )
    try expectFound(try web.discover("home.example"))
  }

  @Test("a reference may be written with non-ASCII letters")
  func letters() throws {
    let web = SimulatedWeb()
    web.addMastodon("xn--mller-kva.example")
    web.add(
      "https://home.example/.well-known/webfinger",
      #"{"links":[{"rel":"self","type":"application/activity+json","href":"https://müller.example/users/robin"}]}"#)
    #expect(try web.discover("@robin@home.example").base == RequestURL("https://xn--mller-kva.example"))
  }

  @Test("a host's own API takes precedence over its references")
  func own() throws {
    let web = web()
    web.addMastodon("home.example")
    web.add("https://home.example/.well-known/host-meta", Self.hostMeta)
    #expect(try web.discover("home.example").base == RequestURL("https://home.example"))
  }

  @Test("a redirect to a page that is not the document does not hide the host's own API")
  func loginPage() throws {
    let web = web()
    web.addMastodon("home.example")
    web.redirect("https://home.example/.well-known/nodeinfo", to: "https://login.example/?back=x")
    #expect(try web.discover("home.example").base == RequestURL("https://home.example"))
  }

  @Test("if a host refers nowhere, the result names the places asked")
  func nothing() throws {
    let server = try SimulatedWeb().discover("home.example")
    #expect(try server.api == .unknown && server.base == RequestURL("https://home.example"))
    #expect(
      server.asked == [
        "/.well-known/nodeinfo", "/api/v2/instance", "/api/v1/instance", "/api/statusnet/config.json",
        "/api/gnusocial/config.json", "/.well-known/host-meta", "/.well-known/host-meta.json",
        "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
      ])
    #expect(try DiscoveredServer(json: server.json) == server)
    #expect(try SimulatedWeb().discover("@robin@home.example").asked.first == "/.well-known/webfinger")
  }

  @Test("circular references, and references to hosts without an API, end")
  func circle() throws {
    let web = SimulatedWeb()
    for (host, next) in [("home.example", "a.example"), ("a.example", "b.example"), ("b.example", "home.example")] {
      web.redirect("https://\(host)/.well-known/nodeinfo", to: "https://\(next)/.well-known/nodeinfo")
      web.redirect("https://\(host)/.well-known/host-meta", to: "https://\(next)/.well-known/host-meta")
    }
    #expect(try web.discover("home.example").api == .unknown)
    #expect(web.requests.count < 60)
  }

  @Test("an unencrypted reference is not followed, but named if nothing is found")
  func plain() throws {
    let web = web()
    web.redirect("https://home.example/.well-known/nodeinfo", to: "http://social.example/.well-known/nodeinfo")
    let server = try web.discover("home.example")
    #expect(server.api == .unknown)
    #expect(server.findings == ["home.example refers to http://social.example, which is not encrypted"])
    #expect(!web.requests.contains { $0.url.hasPrefix("http:") })
  }

  @Test(
    "a host that another host named is requested under that name, and the walk ends if it is in the user's network",
    arguments: ["redirect", "link", "template", "nodeinfo"])
  func inwards(way: String) throws {
    let web = SimulatedWeb()
    web.insideHosts = ["inner.example", "127.0.0.1"]
    for target in ["https://inner.example/x", "http://127.0.0.1:6379/users/robin"] {
      switch way {
      case "redirect": web.redirect("https://social.example/.well-known/nodeinfo", to: target)
      case "link":
        web.add(
          "https://social.example/.well-known/webfinger",
          #"{"links":[{"rel":"self","type":"application/activity+json","href":"\#(target)"}]}"#)
      case "template":
        web.add(
          "https://social.example/.well-known/host-meta",
          #"<XRD><Link rel="lrdd" template="\#(target)?u={uri}"/></XRD>"#)
      default:
        web.add(
          "https://social.example/.well-known/nodeinfo",
          #"{"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.1","href":"\#(target)"}]}"#)
      }
      let error = #expect(throws: DiscoveryError.self) { try web.discover("@robin@social.example") }
      #expect(error?.description.hasPrefix("social.example refers to ") == true)
      let (last, others) = (web.requests.last, web.requests.dropLast())
      #expect(last?.referrer == "social.example")
      #expect(others.allSatisfy { $0.url.hasPrefix("https://social.example/") || $0.referrer != nil })
    }
  }
}

@Suite("XRD documents") struct XRDLinksTests {
  private func templates(_ text: String) -> [String?]? { XRDLinks(Array(text.utf8))?.links.map(\.template) }

  @Test("links are read with any prefix, quotes and spacing; character references are decoded")
  func links() {
    #expect(
      templates(
        """
        <?xml version='1.0'?><!-- <XRD> --><x:XRD xmlns:x='u'>
        <x:Link  template = 'https://a.example/?a=1&amp;u={uri}&#x26;b&#38;c'  rel="lrdd" ></x:Link>
        <![CDATA[<Link template="no"/>]]><Link/>
        </x:XRD>
        """) == ["https://a.example/?a=1&u={uri}&b&c", nil])
  }

  @Test(
    "other documents, and documents that define entities, have no links",
    arguments: [
      "", "<", "<html><Link template='a'/>", "{}",
      "<!DOCTYPE XRD [<!ENTITY a \"b\">]><XRD><Link template='&a;'/></XRD>",
      "<!DOCTYPE XRD SYSTEM \"a\" [", "<!--",
    ])
  func none(text: String) {
    #expect(templates(text) == nil)
  }

  @Test("a document that ends anywhere is read as far as it goes")
  func truncated() {
    let text = "<XRD><Link rel='lrdd' template='https://a.example/{uri}'/><Link a b=c/><Link template='&x;'/></XRD>"
    let bytes = Array(text.utf8)
    for count in 0...bytes.count {
      let links = XRDLinks(Array(bytes[..<count]))?.links ?? []
      #expect(links.count <= 3 && links.dropFirst().allSatisfy { $0.template == nil })
    }
  }
}
