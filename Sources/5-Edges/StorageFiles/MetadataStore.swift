internal import Bytes
package import HomelineOAuth
internal import JSON
internal import Platform
package import Storage
internal import Time
internal import Timeline

/// An authorisation server's endpoints as of the last login, in `server.json`, so that renewing a token needs no discovery; whether the
/// server accepts only coarse scopes; and which timelines it restricts. The file contains no secret and may be deleted.
package struct MetadataStore: ServerMetadataStorage {
  private static let schema: Int64 = 1
  private static let sizeLimit = 1 << 16

  private let files: ServerFiles

  package init(_ files: ServerFiles) { self.files = files }

  private struct Content {
    var endpoints: OAuth2Endpoints?
    var needsCoarseScopes = false
    var feeds: ServerFeeds?
  }

  package func read() -> OAuth2Endpoints? { content.endpoints }

  package var needsCoarseScopes: Bool { content.needsCoarseScopes }

  package func store(_ endpoints: OAuth2Endpoints) throws(StorageError) { try change { $0.endpoints = endpoints } }

  package func noteCoarseScopes() throws(StorageError) { try change { $0.needsCoarseScopes = true } }

  package var feeds: ServerFeeds? { content.feeds }

  package func store(_ feeds: ServerFeeds) throws(StorageError) { try change { $0.feeds = feeds } }

  private var content: Content {
    guard let bytes = try? TrustedFile.read(files.metadata, limit: Self.sizeLimit),
      let content = try? Self.content(bytes)
    else { return Content() }
    return content
  }

  private func change(_ body: (inout Content) -> Void) throws(StorageError) {
    do throws(SystemError) {
      try ServerFiles.writing.withLock { _ throws(SystemError) in
        var content = content
        body(&content)
        try Folder.create(files.folder)
        try AtomicFile.write(Self.bytes(of: content), to: files.metadata, .synced)
      }
    } catch { throw StorageError(error) }
  }

  private static func bytes(of content: Content) -> [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", schema)
      if content.needsCoarseScopes { json.member("coarse_scopes", true) }
      if let feeds = content.feeds { write(feeds, to: &json) }
      guard let endpoints = content.endpoints else { return }
      json.member("issuer", endpoints.issuer)
      json.member("promises_issuer", endpoints.promisesIssuer)
      json.member("authorize", endpoints.authorize?.text)
      json.member("token", endpoints.token.text)
      json.member("revoke", endpoints.revocation?.text)
      json.member("device_authorization", endpoints.deviceAuthorization?.text)
      json.member("userinfo", endpoints.userInfo?.text)
      json.member(
        "client_authentications", list: (endpoints.clientAuthentications ?? []).map(\.rawValue)
      ) { $0.string($1) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ feeds: ServerFeeds, to json: inout JSONWriter) {
    json.name("feeds")
    json.object { json in
      json.member("asked_at", feeds.askedAt.rfc3339)
      json.name("restricted")
      json.object { json in
        for kind in TimelineName.Kind.allCases {
          if let access = feeds.restricted[kind] { json.member(kind.rawValue, access.rawValue) }
        }
      }
    }
  }

  private static func feeds(_ json: inout JSONCursor) throws -> ServerFeeds? {
    var askedAt: Timestamp?
    var restricted: [TimelineName.Kind: FeedAccess] = [:]
    try json.members { json, name in
      switch (name, try json.peek()) {
      case ("asked_at", .string): askedAt = Timestamp(rfc3339: try json.string())
      case ("restricted", .object):
        try json.members { json, name in
          let access = FeedAccess(rawValue: try json.string())
          if let kind = TimelineName.Kind(rawValue: name.text) { restricted[kind] = access }
        }
      default: try json.skip()
      }
    }
    return askedAt.map { ServerFeeds(askedAt: $0, restricted: restricted) }
  }

  private static func content(_ bytes: [UInt8]) throws -> Content? {
    var isCoarse = false
    var feeds: ServerFeeds?
    var schema: Int64 = 0
    var promises = false
    var methods: [ClientAuthentication] = []
    var texts: [String: String] = [:]
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    try cursor.members { json, name in
      switch (name, try json.peek()) {
      case ("schema", _): schema = try json.integer(in: 0...Int64.max)
      case ("promises_issuer", _): promises = try json.boolean()
      case ("coarse_scopes", .boolean): isCoarse = try json.boolean()
      case ("feeds", .object): feeds = try Self.feeds(&json)
      case ("client_authentications", .array):
        try json.elements { json in ClientAuthentication(rawValue: try json.string()).map { methods.append($0) } }
      case (_, .string): texts[name.text] = try json.string()
      default: try json.skip()
      }
    }
    try cursor.end()
    guard schema == Self.schema else { return nil }
    guard let token = texts["token"] else { return Content(needsCoarseScopes: isCoarse, feeds: feeds) }
    func url(_ name: String) throws -> RequestURL? { try texts[name].map { try RequestURL($0) } }
    let endpoints = OAuth2Endpoints(
      issuer: texts["issuer"], promisesIssuer: promises, authorize: try url("authorize"),
      token: try RequestURL(token), revocation: try url("revoke"),
      deviceAuthorization: try url("device_authorization"), userInfo: try url("userinfo"),
      clientAuthentications: methods.isEmpty ? nil : methods)
    return Content(endpoints: endpoints, needsCoarseScopes: isCoarse, feeds: feeds)
  }
}
