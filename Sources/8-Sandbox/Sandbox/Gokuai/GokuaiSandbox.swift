package import HTTP
internal import JSON
package import Time

/// Gokuai's cloud drive: the API of a library, an upload server and a download server, all at one address.
package struct GokuaiSandbox: SimulatedProvider {
  static var userName: String { GokuaiUsers.name }
  static var password: String { GokuaiUsers.password }

  /// A header field that faults add to a request. It states how many seconds the drive's clock is ahead.
  static let clockField: FieldName = "X-Sandbox-Clock"
  /// A header field that faults add to a request. A signature already used in a request with this field is refused.
  static let replayField: FieldName = "X-Sandbox-Replay"
  /// A header field that faults add to a request. The first entry of the folder is removed before the folder is listed.
  static let shrinkingField: FieldName = "X-Sandbox-Shrinking"
  /// A header field that faults add to a request. The server then reports only when the upload starts that it already has the content.
  static let unknownField: FieldName = "X-Sandbox-Unknown"

  /// The lifetime of a download address.
  static let addressLife = Duration.seconds(600)
  /// The path of the upload server.
  static let uploadPath = "/upload"

  private var library = GokuaiLibrary()
  private var uploads = GokuaiUploads()
  private var users = GokuaiUsers()
  /// How far ahead the clock was at the last request.
  private var ahead = Duration.zero
  /// The signatures of requests with `replayField`, and the times when they were received.
  private var usedSignatures: [String: Timestamp] = [:]
  private let verifier = GokuaiVerifier(
    secrets: [
      .library: GokuaiKeys.clientSecret, .enterprise: GokuaiKeys.enterpriseSecret, .client: GokuaiKeys.appSecret,
    ])

  package init() {}

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("library's client id", GokuaiKeys.clientID),
      GuideLine("library's client secret", GokuaiKeys.clientSecret),
      GuideLine("enterprise's client id", GokuaiKeys.enterpriseID),
      GuideLine("enterprise's client secret", GokuaiKeys.enterpriseSecret),
      GuideLine("library id", GokuaiKeys.libraryID),
      GuideLine("user's client id", GokuaiKeys.appID), GuideLine("user's client secret", GokuaiKeys.appSecret),
      GuideLine("user name", Self.userName), GuideLine("password", Self.password),
    ]
  }

  /// Blocks are larger than forms.
  package var bodyLimit: Int { 32 << 20 }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    ahead = .seconds(request.headers.first(Self.clockField).flatMap { Int64($0) } ?? 0)
    return SimulatedResponse(route(request, at: clock(at: now)))
  }

  package func clock(at now: Timestamp) -> Timestamp { now + ahead }

  private mutating func route(_ request: Request, at now: Timestamp) -> Response {
    let path = request.target.path
    do throws(GokuaiError) {
      if path.hasPrefix(Self.uploadPath + "/") {
        let isUser = try isUser(request, at: now)
        return try uploads.response(
          to: request, String(path.dropFirst(Self.uploadPath.count + 1)), isUser: isUser, &library, at: now)
      }
      if path.hasPrefix(GokuaiLibrary.contentPath) { return try library.content(for: request, at: now) }
      if path.hasPrefix("/1/file/") { return try legacyCall(path, request, at: now) }
      if path.hasPrefix("/m-api/") { return try userCall(String(path.dropFirst("/m-api/".count)), request, at: now) }
      guard path.hasPrefix("/m-open/1/") else { throw .notFound(40402, "no such call") }
      return try call(String(path.dropFirst("/m-open/1/".count)), request, at: now)
    } catch { return error.response }
  }

  /// Returns whether a request to the upload server has a user's token and library.
  private func isUser(_ request: Request, at now: Timestamp) throws(GokuaiError) -> Bool {
    guard let token = request.headers.first("x-gk-token") else { return false }
    try users.check(token, at: now)
    return request.headers.first("x-gk-upload-mountid") == GokuaiKeys.libraryID
  }

  /// Executes a call to the 2013 API. A client signs such requests for its user, and they carry no timestamp.
  private mutating func legacyCall(_ path: String, _ request: Request, at now: Timestamp) throws(GokuaiError)
    -> Response
  {
    let (verifier, users) = (verifier, users)
    func verify(_ form: GokuaiForm) throws(GokuaiError) {
      try verifier.verify(form, signedWith: .client, at: now, hasTime: false)
      try users.check(form.value("token"), at: now)
    }
    switch path {
    case "/1/file/upload_server":
      let form = try GokuaiForm(request)
      try verify(form)
      return try GokuaiLegacy.server(form, request.headers.first(.host) ?? "")
    case "/1/file/upload": return try GokuaiLegacy.upload(request, &library, at: now, verify: verify)
    default: throw .notFound(40402, "no such call")
    }
  }

  /// Executes a call to the API for users.
  private mutating func userCall(
    _ name: String, _ request: Request, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    let form = try GokuaiForm(request)
    if name == "oauth2/token2" {
      try verifier.verify(form, as: .client, at: now)
      return try users.issue(form, at: now)
    }
    try verifier.verify(form, signedWith: .client, at: now)
    try refuseReplay(form, request, at: now)
    try users.check(form.value("token"), at: now)
    if name == "1/account/mount" {
      return .json { json in
        json.name("list")
        json.array { json in
          json.object { json in
            json.member("mount_id", 7)
            json.member("org_name", "Library")
          }
        }
      }
    }
    guard try form.required("mount_id") == GokuaiKeys.libraryID else { throw .notFound(40401, "no such library") }
    let authority = request.headers.first(.host) ?? ""
    switch name {
    case "1/file/ls": return try list(form, request, at: now)
    case "2/file/info": return try library.information(form)
    case "2/file/open": return try library.open(form, authority, until: now + Self.addressLife)
    case "2/file/create_folder": return try library.createFolder(form, at: now)
    case "2/file/create_file":
      return try announce(form, request, at: now)
    case "1/file/updates": return try library.updates(form, at: now)
    case "1/file/del": return try library.delete(form, at: now)
    case "1/file/copy": return try library.transfer(form, removesSource: false, at: now)
    case "1/file/move": return try library.transfer(form, removesSource: true, at: now)
    case "1/file/rename": return try library.rename(form, at: now)
    default: throw .notFound(40402, "no such call")
    }
  }

  /// Refuses a repeated signature, even of a separate but identical request in the same second.
  private mutating func refuseReplay(
    _ form: GokuaiForm, _ request: Request, at now: Timestamp
  ) throws(GokuaiError) {
    guard request.headers.first(Self.replayField) != nil else { return }
    // Older signatures are refused anyway because of their time.
    usedSignatures = usedSignatures.filter { now - $0.value <= .seconds(2 * GokuaiVerifier.tolerance) }
    guard usedSignatures.updateValue(now, forKey: try form.required("sign")) == nil else {
      throw GokuaiError(code: 400012, message: "signature check failed")
    }
  }

  private mutating func announce(
    _ form: GokuaiForm, _ request: Request, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    // As in the real service, the address has no scheme.
    try uploads.announce(
      form, in: &library, server: (request.headers.first(.host) ?? "") + Self.uploadPath,
      looksUpContent: request.headers.first(Self.unknownField) == nil, at: now)
  }

  private mutating func list(_ form: GokuaiForm, _ request: Request, at now: Timestamp) throws(GokuaiError) -> Response
  {
    if request.headers.first(Self.shrinkingField) != nil { try library.removeFirst(in: form, at: now) }
    return try library.list(form)
  }

  private mutating func call(_ name: String, _ request: Request, at now: Timestamp) throws(GokuaiError) -> Response {
    let form = try GokuaiForm(request)
    if name == "org/bind" {
      try verifier.verify(form, as: .enterprise, at: now)
      try refuseReplay(form, request, at: now)
      guard try form.required("mount_id") == GokuaiKeys.libraryID else { throw .notFound(40401, "no such library") }
      return .json { json in
        json.member("org_client_id", GokuaiKeys.clientID)
        json.member("org_client_secret", GokuaiKeys.clientSecret)
      }
    }
    try verifier.verify(form, as: .library, at: now)
    try refuseReplay(form, request, at: now)
    let authority = request.headers.first(.host) ?? ""
    switch name {
    case "file/ls": return try list(form, request, at: now)
    case "file/info": return try library.information(form)
    case "file/create_folder": return try library.createFolder(form, at: now)
    case "file/updates": return try library.updates(form, at: now)
    case "file/del": return try library.delete(form, at: now)
    case "file/copy": return try library.copy(form, at: now)
    case "file/move": return try library.move(form, at: now)
    case "file/link": return try library.link(form, authority)
    case "file/download_url": return try library.addresses(form, authority, until: now + Self.addressLife)
    case "file/create_file":
      return try announce(form, request, at: now)
    default: throw .notFound(40402, "no such call")
    }
  }
}
