package import HomelineOAuth
internal import JSON

/// A server and its API, as revealed by its own responses.
package struct DiscoveredServer: Sendable, Hashable {
  package enum API: String, Sendable, Hashable, CaseIterable {
    case mastodon, gnusocial, oauth2, unknown
  }

  package var origin: RequestURL
  package var api = API.unknown
  /// The name of the server's software as it reports it, such as `mastodon`; `nil` if it reports none.
  package var software: String?
  package var version: String?
  /// The server's name.
  package var title: String?
  /// The identifier of the authorisation server (RFC 8414), as written.
  package var issuer: String?
  /// The facts that were found, each as a sentence without a full stop.
  package var findings: [String] = []
  /// The documents that were answered neither with content nor with 404, as findings for the case that the API stays unknown.
  var oddities: [String] = []

  init(_ origin: RequestURL) { self.origin = origin }

  /// The server's software and version, for messages.
  package var description: String {
    let name = software ?? (api == .mastodon ? "a server with Mastodon's API" : "unknown software")
    return [name, version].compactMap(\.self).joined(separator: " ")
  }
}

extension DiscoveredServer {
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("origin", origin.origin)
      json.member("api", api.rawValue)
      json.member("software", software)
      json.member("version", version)
      json.member("title", title)
      json.member("issuer", issuer)
      json.member("findings", list: findings) { $0.string($1) }
    }
    return writer.bytes
  }

  /// Reads the output of ``json`` or of the error's `json`.
  /// - Throws: the error that was read, or an error if the text cannot be read.
  package init(json bytes: [UInt8]) throws(DiscoveryError) {
    do { try self.init(reading: bytes) } catch let error as DiscoveryError { throw error } catch {
      throw DiscoveryError("the response from homelined cannot be read: \(error)")
    }
  }

  private init(reading bytes: [UInt8]) throws {
    var origin: RequestURL?
    var api: API?
    var texts: [String: String] = [:]
    var findings: [String] = []
    var cursor = JSONCursor(bytes, maximalDepth: 4)
    try cursor.members { json, name in
      switch name {
      case "origin": origin = try RequestURL(json.string())
      case "api": api = API(rawValue: try json.string())
      case "findings": findings = try json.list { json in try json.string() }
      default: texts[name.text] = try json.stringOrSkip()
      }
    }
    try cursor.end()
    if let error = texts["error"] { throw DiscoveryError(error) }
    guard let origin, let api else { throw DiscoveryError("a member is missing") }
    self.init(origin)
    self.api = api
    self.findings = findings
    software = texts["software"]
    version = texts["version"]
    title = texts["title"]
    issuer = texts["issuer"]
  }
}

/// The reason a server's API could not be determined.
package struct DiscoveryError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("error", description) }
    return writer.bytes
  }
}
