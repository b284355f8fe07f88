package import HomelineOAuth
internal import JSON
internal import Platform
package import Storage

/// An authorisation server's endpoints as of the last login, in `server.json`, so that a token can be renewed without discovering them
/// again. They contain no secret and may be deleted.
package struct MetadataStore: ServerMetadataStorage {
  private static let schema: Int64 = 1
  private static let sizeLimit = 1 << 16

  private let files: ServerFiles

  package init(_ files: ServerFiles) { self.files = files }

  package func read() -> OAuth2Endpoints? {
    guard let bytes = try? TrustedFile.read(files.metadata, limit: Self.sizeLimit) else { return nil }
    return try? Self.endpoints(bytes)
  }

  package func store(_ endpoints: OAuth2Endpoints) throws(StorageError) {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", Self.schema)
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
    let bytes = writer.bytes + [UInt8(ascii: "\n")]
    do throws(SystemError) {
      try ServerFiles.writing.withLock { _ throws(SystemError) in
        try Folder.create(files.folder)
        try AtomicFile.write(bytes, to: files.metadata, .synced)
      }
    } catch { throw StorageError(error) }
  }

  private static func endpoints(_ bytes: [UInt8]) throws -> OAuth2Endpoints? {
    var schema: Int64 = 0
    var promises = false
    var methods: [ClientAuthentication] = []
    var texts: [String: String] = [:]
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    try cursor.members { json, name in
      switch (name, try json.peek()) {
      case ("schema", _): schema = try json.integer(in: 0...Int64.max)
      case ("promises_issuer", _): promises = try json.boolean()
      case ("client_authentications", .array):
        try json.elements { json in ClientAuthentication(rawValue: try json.string()).map { methods.append($0) } }
      case (_, .string): texts[name.text] = try json.string()
      default: try json.skip()
      }
    }
    try cursor.end()
    guard schema == Self.schema, let token = texts["token"] else { return nil }
    func url(_ name: String) throws -> RequestURL? { try texts[name].map { try RequestURL($0) } }
    return OAuth2Endpoints(
      issuer: texts["issuer"], promisesIssuer: promises, authorize: try url("authorize"),
      token: try RequestURL(token), revocation: try url("revoke"),
      deviceAuthorization: try url("device_authorization"), userInfo: try url("userinfo"),
      clientAuthentications: methods.isEmpty ? nil : methods)
  }
}
