package import Bytes
internal import JSON

/// A server and its API, according to its own responses.
package struct DiscoveredServer: Sendable, Hashable {
  package enum API: String, Sendable, Hashable, CaseIterable {
    case mastodon, gnusocial, oauth2, unknown
  }

  /// The server's origin, with the folder that contains its API (`/` for most servers). For a server that only issues tokens, this is its
  /// issuer.
  package var base: RequestURL
  package var api = API.unknown
  /// The name of the server's software as it reports it, such as `mastodon`; `nil` if it reports none.
  package var software: String?
  package var version: String?
  /// The server's name.
  package var title: String?
  /// The identifier of the authorisation server (RFC 8414), as written.
  package var issuer: String?
  /// The findings, each as a sentence without a full stop.
  package var findings: [String] = []
  /// The paths requested from the server that the user named.
  package var asked: [String] = []

  init(_ base: RequestURL) { self.base = base }

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
      json.member("base", base.text)
      json.member("api", api.rawValue)
      json.member("software", software)
      json.member("version", version)
      json.member("title", title)
      json.member("issuer", issuer)
      json.member("findings", list: findings) { $0.string($1) }
      json.member("asked", list: asked) { $0.string($1) }
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
    var base: RequestURL?
    var api: API?
    var texts: [String: String] = [:]
    var (findings, asked): ([String], [String]) = ([], [])
    var cursor = JSONCursor(bytes, maximalDepth: 4)
    try cursor.members { json, name in
      switch name {
      case "base": base = try RequestURL(json.string())
      case "api": api = API(rawValue: try json.string())
      case "findings": findings = try json.list { json in try json.string() }
      case "asked": asked = try json.list { json in try json.string() }
      default: texts[name.text] = try json.stringOrSkip()
      }
    }
    try cursor.end()
    if let error = texts["error"] { throw DiscoveryError(error) }
    guard let base, let api else { throw DiscoveryError("a member is missing") }
    self.init(base)
    self.api = api
    self.findings = findings
    self.asked = asked
    software = texts["software"]
    version = texts["version"]
    title = texts["title"]
    issuer = texts["issuer"]
  }
}
