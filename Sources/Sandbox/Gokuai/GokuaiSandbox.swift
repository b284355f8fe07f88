package import CivilTime
internal import HomelineOAuth
package import HTTP
internal import JSON

/// Gokuai's cloud drive: the API of a library, an upload server and the downloads of contents, all at one address.
package struct GokuaiSandbox: SimulatedProvider {
  /// The key of the library.
  package static let clientID = "sandbox-library"
  package static let clientSecret = "gokuai-sandbox-library-secret"
  /// The key of the enterprise that owns the library, and the library's number.
  package static let enterpriseID = "sandbox-enterprise"
  package static let enterpriseSecret = "gokuai-sandbox-enterprise-secret"
  package static let libraryID = "7"

  /// How long the address of a content is valid.
  static let addressLife = Duration.seconds(600)
  /// The path of the upload server.
  static let uploadPath = "/upload"

  private var library = GokuaiLibrary()
  private var uploads = GokuaiUploads()
  private let verifier = GokuaiVerifier(
    secrets: [.library: Self.clientSecret, .enterprise: Self.enterpriseSecret])

  package init() {}

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("library's client id", Self.clientID), GuideLine("library's client secret", Self.clientSecret),
      GuideLine("enterprise's client id", Self.enterpriseID),
      GuideLine("enterprise's client secret", Self.enterpriseSecret), GuideLine("library id", Self.libraryID),
    ]
  }

  /// Blocks are larger than forms.
  package var bodyLimit: Int { 32 << 20 }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    SimulatedResponse(route(request, at: now))
  }

  private mutating func route(_ request: Request, at now: Timestamp) -> Response {
    let path = request.target.path
    do throws(GokuaiError) {
      if path.hasPrefix(Self.uploadPath + "/") {
        return try uploads.response(to: request, String(path.dropFirst(Self.uploadPath.count + 1)), &library, at: now)
      }
      if path.hasPrefix(GokuaiLibrary.contentPath) { return try library.content(for: request, at: now) }
      guard path.hasPrefix("/m-open/1/") else { throw .notFound(40402, "no such call") }
      return try call(String(path.dropFirst("/m-open/1/".count)), request, at: now)
    } catch { return error.response }
  }

  private mutating func call(_ name: String, _ request: Request, at now: Timestamp) throws(GokuaiError) -> Response {
    let form = try GokuaiForm(request)
    if name == "org/bind" {
      try verifier.verify(form, as: .enterprise, at: now)
      guard try form.required("mount_id") == Self.libraryID else { throw .notFound(40401, "no such library") }
      return .json { json in
        json.member("org_client_id", Self.clientID)
        json.member("org_client_secret", Self.clientSecret)
      }
    }
    try verifier.verify(form, as: .library, at: now)
    let authority = request.headers.first(.host) ?? ""
    switch name {
    case "file/ls": return try library.list(form)
    case "file/info": return try library.information(form)
    case "file/create_folder": return try library.createFolder(form, at: now)
    case "file/del": return try library.delete(form)
    case "file/copy": return try library.copy(form, at: now)
    case "file/move": return try library.move(form, at: now)
    case "file/link": return try library.link(form, authority)
    case "file/download_url": return try library.addresses(form, authority, until: now + Self.addressLife)
    case "file/create_file":
      // Without a scheme, as the service does it.
      return try uploads.announce(form, in: &library, server: authority + Self.uploadPath, at: now)
    default: throw .notFound(40402, "no such call")
    }
  }
}
