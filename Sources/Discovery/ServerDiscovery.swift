package import HTTP
package import HomelineOAuth
internal import JSON

/// Finds out which API a server has, from its public documents: WebFinger (RFC 7033), NodeInfo 2, Mastodon's instance API, GNU
/// social's configuration, and OAuth metadata (RFC 8414). No request contains a key or a token.
package struct ServerDiscovery {
  /// Sends a GET request without following redirects. Throws if there is no response.
  package typealias Fetch = (RequestURL) throws(DiscoveryError) -> Response

  private static let mostRedirects = 3
  /// The maximum size of a document in bytes. Most are a few kilobytes; a larger one is not read.
  package static let byteLimit = 1 << 20

  private let fetch: Fetch

  package init(fetch: @escaping Fetch) { self.fetch = fetch }

  /// Returns the server at an origin, with the properties that its documents reveal.
  /// - Throws: ``DiscoveryError`` if the server cannot be reached.
  package func server(at origin: RequestURL, user: String?) throws(DiscoveryError) -> DiscoveredServer {
    var server = DiscoveredServer(origin)
    if let user { try followWebFinger(user, &server) }
    try readNodeInfo(&server)
    let isKnown = try readInstance(&server)
    if !isKnown, try !readGNUSocial(&server) { try readMetadata(&server) }
    if server.api == .unknown { server.findings += server.oddities }
    server.oddities = []
    return server
  }

  // MARK: Documents

  /// Looks up the user's server, whose name can differ from the user's address: `@me@example.org` may be on `social.example.org`.
  private func followWebFinger(_ user: String, _ server: inout DiscoveredServer) throws(DiscoveryError) {
    let path = "/.well-known/webfinger?resource=acct:\(user)@\(server.origin.authority)"
    guard let document = try document(path, &server, followsRedirects: true) else { return }
    var address: String?
    document.members { json, name in
      guard name == "links" else {
        try json.skip()
        return
      }
      try json.eachElement { json in
        var (relation, type, href): (String?, String?, String?) = (nil, nil, nil)
        try json.eachMember { json, name in
          switch name {
          case "rel": relation = try json.stringOrSkip()
          case "type": type = try json.stringOrSkip()
          case "href": href = try json.stringOrSkip()
          default: try json.skip()
          }
        }
        if relation == "self", type?.contains("json") != false { address = address ?? href }
      }
    }
    guard let url = address.flatMap({ try? RequestURL($0) }), let origin = Self.trusted(url),
      origin != server.origin
    else { return }
    server.findings.append("@\(user)@\(server.origin.authority) is a user of \(origin.authority) (WebFinger)")
    server.origin = origin
  }

  private func readNodeInfo(_ server: inout DiscoveredServer) throws(DiscoveryError) {
    guard let links = try document("/.well-known/nodeinfo", &server, followsRedirects: true) else { return }
    var addresses: [(schema: String, href: String)] = []
    links.members { json, name in
      guard name == "links" else {
        try json.skip()
        return
      }
      try json.eachElement { json in
        var (relation, href): (String?, String?) = (nil, nil)
        try json.eachMember { json, name in
          switch name {
          case "rel": relation = try json.stringOrSkip()
          case "href": href = try json.stringOrSkip()
          default: try json.skip()
          }
        }
        if let relation, let href, relation.contains("nodeinfo.diaspora.software/ns/schema/2.") {
          addresses.append((relation, href))
        }
      }
    }
    guard let newest = addresses.max(by: { $0.schema < $1.schema }), let url = try? RequestURL(newest.href),
      Self.trusted(url) == server.origin, let info = try document(at: url)
    else { return }
    var (software, version): (String?, String?) = (nil, nil)
    info.members { json, name in
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
    guard let software else { return }
    server.software = Self.short(software)
    server.version = version.map(Self.short)
    server.findings.append("\(server.origin.authority) says that it is \(server.description) (NodeInfo)")
  }

  /// Reads Mastodon's instance API, version 2 or 1.
  private func readInstance(_ server: inout DiscoveredServer) throws(DiscoveryError) -> Bool {
    for path in ["/api/v2/instance", "/api/v1/instance"] {
      guard let document = try document(path, &server) else { continue }
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
      server.api = .mastodon
      server.version = server.version ?? Self.short(version)
      server.title = title.map(Self.short)
      server.findings.append("it has Mastodon's API (\(path), version \(Self.short(version)))")
      return true
    }
    return false
  }

  private func readGNUSocial(_ server: inout DiscoveredServer) throws(DiscoveryError) -> Bool {
    for path in ["/api/statusnet/config.json", "/api/gnusocial/config.json"] {
      guard let document = try document(path, &server) else { continue }
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
      server.api = .gnusocial
      server.title = title.map(Self.short)
      server.findings.append("it has GNU social's API (\(path))")
      return true
    }
    return false
  }

  /// Reads the OAuth metadata (RFC 8414 §3, OpenID Connect Discovery §4).
  private func readMetadata(_ server: inout DiscoveredServer) throws(DiscoveryError) {
    for url in ServerMetadata.addresses(of: server.origin) {
      guard let document = try document(at: url) else { continue }
      var (issuer, token): (String?, String?) = (nil, nil)
      document.members { json, name in
        switch name {
        case "issuer": issuer = try json.stringOrSkip()
        case "token_endpoint": token = try json.stringOrSkip()
        default: try json.skip()
        }
      }
      // The issuer must be the server that was asked (RFC 8414 §3.3).
      guard let issuer, token != nil, let issuerURL = try? RequestURL(issuer),
        Self.trusted(issuerURL) == server.origin
      else { continue }
      server.api = .oauth2
      server.issuer = issuer
      server.findings.append("it issues OAuth 2.0 tokens (\(url.path))")
      return
    }
  }

  // MARK: Requests

  /// Returns a document below the server's origin.
  /// - Parameter followsRedirects: whether a redirect to a different server changes the server's origin.
  /// - Returns: `nil` if the server does not have it.
  private func document(
    _ path: String, _ server: inout DiscoveredServer, followsRedirects: Bool = false
  ) throws(DiscoveryError) -> JSONDocument? {
    guard var url = try? RequestURL(server.origin.origin + path) else { return nil }
    for _ in 0...(followsRedirects ? Self.mostRedirects : 0) {
      let response = try answer(from: url)
      guard [301, 302, 303, 307, 308].contains(response.status.code) else {
        if ![200, 404, 410].contains(response.status.code) {
          server.oddities.append("it answers status \(response.status.code) for \(url.path)")
        }
        return JSONDocument(response)
      }
      guard followsRedirects, let location = response.headers.first("Location"),
        let next = Self.target(of: location, from: url), let origin = Self.trusted(next)
      else { return nil }
      if origin != server.origin {
        server.findings.append("\(server.origin.authority) refers to \(origin.authority)")
        server.origin = origin
      }
      url = next
    }
    return nil
  }

  private func document(at url: RequestURL) throws(DiscoveryError) -> JSONDocument? {
    JSONDocument(try answer(from: url))
  }

  /// Requests a document.
  /// - Throws: ``DiscoveryError`` if the server does not answer now. Its documents are then unknown, not missing.
  private func answer(from url: RequestURL) throws(DiscoveryError) -> Response {
    let response = try fetch(url)
    if let busy = DiscoveryError(busy: response, at: url.authority) { throw busy }
    return response
  }

  private static func target(of location: String, from url: RequestURL) -> RequestURL? {
    try? RequestURL(location.hasPrefix("/") && !location.hasPrefix("//") ? url.origin + location : location)
  }

  /// Returns the origin of an address that tokens could be sent to; `nil` for plain http to another machine.
  private static func trusted(_ url: RequestURL) -> RequestURL? {
    url.isHTTPS || url.isLoopback ? try? RequestURL(url.origin) : nil
  }

  /// Returns the beginning of a text from the server, at most 80 characters.
  private static func short(_ text: String) -> String { String(text.prefix(80)) }
}

/// A JSON object from a server; a member of the wrong type counts as missing.
private struct JSONDocument {
  private let bytes: [UInt8]

  /// Reads a response; `nil` unless it is a JSON object with status 200.
  init?(_ response: Response) {
    guard response.status.code == 200, response.body.count <= ServerDiscovery.byteLimit else { return nil }
    var cursor = JSONCursor(response.body)
    guard (try? cursor.peek()) == .object, (try? cursor.skip()) != nil else { return nil }
    bytes = response.body
  }

  func members(_ body: (inout JSONCursor, JSONName) throws -> Void) {
    var cursor = JSONCursor(bytes)
    try? cursor.members(body)
  }
}

extension JSONCursor {
  /// Consumes any value; reads its members if it is an object.
  fileprivate mutating func eachMember(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Consumes any value; reads its elements if it is an array.
  fileprivate mutating func eachElement(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
