internal import Bytes
internal import HTTP
internal import HomelineOAuth
internal import JSON

/// A walk from the server that the user named to the server that has the accounts.
struct DiscoveryWalk {
  /// The maximum number of other servers visited.
  private static let mostReferences = 5

  let start: ServerAddress
  var server: DiscoveredServer
  var requests: DiscoveryRequests
  /// The places looked at.
  private var visited: Set<RequestURL> = []
  /// The templates of the first server's host-meta; nil before it is requested.
  private var templates: [String]?

  init(from start: ServerAddress, fetch: @escaping DiscoveryFetch) {
    self.start = start
    server = DiscoveredServer(start.url.root)
    requests = DiscoveryRequests(from: start, fetch: fetch)
  }

  mutating func server(of user: String?) throws(DiscoveryError) -> DiscoveredServer {
    if try !isFound(user) { server.findings += requests.oddities }
    server.asked = requests.asked
    return server
  }

  /// The place closest to the user's input comes first: the path, then the user's own server, then the host and the servers that it refers
  /// to. Servers that only issue tokens come last.
  private mutating func isFound(_ user: String?) throws(DiscoveryError) -> Bool {
    for folder in start.url.folders { if try isFound(inFolder: start.url.at(path: folder)) { return true } }
    if let user, let home = try home(of: user) {
      if home.origin != start.url.origin {
        server.findings.append("@\(user)@\(start.name) is a user of \(start.name(of: home)) (WebFinger)")
      }
      if try isFound(at: home) { return true }
    }
    if try isFound(at: start.url.root) { return true }
    for template in try hostMetaTemplates() {
      requests.note(referenceTo: template.replacing("{uri}", with: ""), from: start.url)
    }
    var count = 0
    while count < min(requests.references.count, Self.mostReferences) {
      if try isFound(by: requests.references[count]) { return true }
      count += 1
    }
    for place in [start.url.root] + requests.references.prefix(count).map(\.url.root) {
      if try readMetadata(at: place) { return true }
    }
    return false
  }

  /// Looks at a server that another one refers to.
  private mutating func isFound(by reference: DiscoveryRequests.Reference) throws(DiscoveryError) -> Bool {
    guard !visited.contains(reference.url) else { return false }
    server.findings.append("\(reference.referrer) refers to \(start.name(of: reference.url))\(reference.url.folder)")
    return try isFound(at: reference.url)
  }

  /// Tries the root of a server first, because nearly all APIs are there, and then the folders of the URL.
  private mutating func isFound(at url: RequestURL) throws(DiscoveryError) -> Bool {
    if visited.insert(url.root).inserted {
      // What a server reports about its software does not apply to the next server.
      let (software, version) = (server.software, server.version)
      (server.software, server.version) = (nil, nil)
      if let other = try readNodeInfo(of: url.root), try isFound(by: other) { return true }
      if try readInstance(of: url.root) { return true }
      if try readGNUSocial(at: url.root) { return true }
      if let software { (server.software, server.version) = (software, version) }
    }
    for folder in url.folders { if try isFound(inFolder: url.at(path: folder)) { return true } }
    return false
  }

  private mutating func isFound(inFolder url: RequestURL) throws(DiscoveryError) -> Bool {
    guard visited.insert(url).inserted else { return false }
    if try readMetadata(at: url) { return true }
    return try readGNUSocial(at: url)
  }
}

// MARK: Users and hosts

extension DiscoveryWalk {
  /// Looks up the user's server, whose name can differ from the user's address: `@me@example.org` may be on `social.example.org`.
  /// - Returns: the folder of the user's page there; nil if the host describes no such user.
  private mutating func home(of user: String) throws(DiscoveryError) -> RequestURL? {
    let account = "acct:\(user)@\(start.url.authority)"
    let direct = start.url.at(path: "/.well-known/webfinger?resource=\(account)")
    if let home = try home(in: try requests.document(at: direct)?.document) { return home }
    for template in try hostMetaTemplates() {
      let address = template.replacing("{uri}", with: OAuth.PercentEncoding.encode(account))
      guard let url = requests.note(referenceTo: address, from: start.url) else { continue }
      if let home = try home(in: try requests.document(at: url)?.document) { return home }
    }
    return nil
  }

  private mutating func home(in document: ServerDocument?) throws(DiscoveryError) -> RequestURL? {
    let link = document?.links.first { $0.relation == "self" && $0.type?.contains("json") != false }
    guard let url = requests.reference(to: link?.href ?? "", from: start.url) else { return nil }
    let home = url.at(path: ServerName.user(in: url.path).folder)
    requests.allow(home, namedBy: start.name)
    return home
  }

  /// Returns the addresses where users are described according to the first server's host-meta (RFC 6415 §3.1), with `{uri}` in place of
  /// the user.
  private mutating func hostMetaTemplates() throws(DiscoveryError) -> [String] {
    if let templates { return templates }
    var found: [String] = []
    for path in ["/.well-known/host-meta", "/.well-known/host-meta.json"] {
      guard let answer = try requests.answer(from: start.url.at(path: path))?.response else { continue }
      if let document = ServerDocument(answer) {
        found = document.links.filter { $0.relation == "lrdd" }.compactMap(\.template)
      } else if answer.status.code == 200, answer.body.count <= ServerDocument.byteLimit,
        let document = XRDLinks(answer.body)
      {
        found = document.links.filter { $0.relation == "lrdd" }.compactMap(\.template)
      } else {
        continue
      }
      break
    }
    templates = found
    return found
  }
}

// MARK: APIs

extension DiscoveryWalk {
  /// Reads the name of a server's software.
  /// - Returns: the server that has the document, if the request was redirected to it.
  private mutating func readNodeInfo(of place: RequestURL) throws(DiscoveryError) -> DiscoveryRequests.Reference? {
    guard let (links, url) = try requests.document(at: place.at(path: "/.well-known/nodeinfo")) else { return nil }
    guard url.origin == place.origin else { return requests.references.last { $0.url.origin == url.origin } }
    let known = links.links.filter { $0.relation?.contains("nodeinfo.diaspora.software/ns/schema/2.") == true }
    guard let newest = known.max(by: { ($0.relation ?? "") < ($1.relation ?? "") }), let href = newest.href,
      let info = requests.note(referenceTo: href, from: place), info.origin == place.origin,
      let document = try requests.document(at: info, followsRedirects: false)?.document
    else { return nil }
    var (software, version): (String?, String?) = (nil, nil)
    document.members { json, name in
      guard name == "software" else {
        try json.skip()
        return
      }
      try json.eachMember { json, name in
        switch name {
        case "name": software = try json.stringOrSkip()
        case "version": version = try json.stringOrSkip()
        default: try json.skip()
        }
      }
    }
    guard let software else { return nil }
    server.software = Self.line(software)
    server.version = version.map(Self.line)
    server.findings.append("\(start.name(of: place)) identifies itself as \(server.description) (NodeInfo)")
    return nil
  }

  /// Reads Mastodon's instance API, version 2 or 1.
  private mutating func readInstance(of place: RequestURL) throws(DiscoveryError) -> Bool {
    for path in ["/api/v2/instance", "/api/v1/instance"] {
      guard let document = try requests.document(at: place.at(path: path), followsRedirects: false)?.document else {
        continue
      }
      var (host, version, title): (String?, String?, String?) = (nil, nil, nil)
      document.members { json, name in
        switch name {
        case "domain", "uri": host = try json.stringOrSkip()
        case "version": version = try json.stringOrSkip()
        case "title": title = try json.stringOrSkip()
        default: try json.skip()
        }
      }
      guard host != nil, let version else { continue }
      server.base = place
      server.api = .mastodon
      server.version = server.version ?? Self.line(version)
      server.title = title.map(Self.line)
      server.findings.append("it has Mastodon's API (\(path), version \(Self.line(version)))")
      return true
    }
    return false
  }

  private mutating func readGNUSocial(at place: RequestURL) throws(DiscoveryError) -> Bool {
    for name in ["statusnet", "gnusocial"] {
      let path = "\(place.folder)/api/\(name)/config.json"
      guard let document = try requests.document(at: place.at(path: path), followsRedirects: false)?.document else {
        continue
      }
      var isSite = false
      var title: String?
      document.members { json, name in
        guard name == "site" else {
          try json.skip()
          return
        }
        isSite = true
        try json.eachMember { json, name in
          if name == "name" { title = try json.stringOrSkip() } else { try json.skip() }
        }
      }
      guard isSite else { continue }
      server.base = place
      server.api = .gnusocial
      server.title = title.map(Self.line)
      server.findings.append("it has GNU social's API (\(path))")
      return true
    }
    return false
  }

  /// Reads the OAuth metadata of a server (RFC 8414 §3, OpenID Connect Discovery §4).
  ///
  /// The issuer must be the address that was asked (RFC 8414 §3.3), ignoring a final slash. If the issuer is elsewhere on the same server,
  /// its own metadata must confirm this.
  /// - Parameter isNamed: whether other metadata named this place.
  private mutating func readMetadata(at place: RequestURL, isNamed: Bool = false) throws(DiscoveryError) -> Bool {
    for url in ServerMetadata.addresses(of: place) {
      guard let document = try requests.document(at: url, followsRedirects: false)?.document else { continue }
      var (issuer, token): (String?, String?) = (nil, nil)
      document.members { json, name in
        switch name {
        case "issuer": issuer = try json.stringOrSkip()
        case "token_endpoint": token = try json.stringOrSkip()
        default: try json.skip()
        }
      }
      guard let issuer, token != nil, let named = try? RequestURL(issuer), named.query == nil else { continue }
      if named.isSamePlace(as: place) {
        server.base = named
        server.api = .oauth2
        server.issuer = issuer
        server.findings.append("it issues OAuth 2.0 tokens (\(url.path))")
        return true
      }
      if named.origin == place.origin {
        if !isNamed, try readMetadata(at: named, isNamed: true) { return true }
      } else {
        requests.oddities.append("its OAuth metadata (\(url.path)) belongs to \(named.authority)\(named.folder)")
      }
    }
    return false
  }

  /// Returns the beginning of a text from a server on one line, at most 80 characters.
  private static func line(_ text: String) -> String {
    String(ProviderText.cleaned(text.utf8, hiding: .nothing).prefix(80))
  }
}
