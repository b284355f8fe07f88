internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// The files announced for upload, and the sessions of the upload server.
struct GokuaiUploads: Sendable {
  private struct Announced: Sendable {
    let path: [UInt8]
    let sha1: String
    let size: Int
    let replaces: Bool
  }

  private struct Session: Sendable {
    let pathID: String
    var bytes: [UInt8] = []
  }

  private var announced: [String: Announced] = [:]
  private var sessions: [String: Session] = [:]
  private var lastSession = 0

  /// Handles the call `create_file`. Content that the library already has is not uploaded again.
  /// - Parameter looksUpContent: whether to check here if the library already has the content, not only when the upload starts.
  mutating func announce(
    _ form: GokuaiForm, in library: inout GokuaiLibrary, server: String, looksUpContent: Bool, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    let path = Array(try form.path("fullpath").utf8)
    let sha1 = try form.required("filehash")
    guard !path.isEmpty, sha1.utf8.count == 40, let size = Int(try form.required("filesize")), size >= 0 else {
      throw .invalid("fullpath, filehash or filesize is not valid")
    }
    let file = Announced(path: path, sha1: sha1, size: size, replaces: form.value("overwrite") == "1")
    let pathID = SandboxHash.sha1(path)
    let known = looksUpContent ? library.content(of: sha1) : nil
    if let known {
      library.store(known, at: path, replaces: file.replaces, at: now)
    } else {
      announced[pathID] = file
    }
    return .json { json in
      json.member("fullpath", String(decoding: path, as: UTF8.self))
      json.member("hash", pathID)
      json.member("state", known == nil ? 0 : 1)
      if known == nil { json.member("server", server) }
    }
  }

  /// Responds to a request to the upload server.
  /// - Parameters:
  ///   - name: the last part of the path.
  ///   - isUser: whether the request has a user's valid token.
  mutating func response(
    to request: Request, _ name: String, isUser: Bool, _ library: inout GokuaiLibrary, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    if name == "upload_init", request.method == .post {
      return try begin(request, isUser: isUser, &library, at: now)
    }
    guard let id = request.headers.first("x-gk-upload-session"), let pathID = sessions[id]?.pathID,
      let file = announced[pathID]
    else { return Response(status: .unauthorized) }
    let count = sessions[id]?.bytes.count ?? 0
    switch (name, request.method) {
    // A bare number, not JSON.
    case ("upload_req", .get): return Response(status: .ok, text: "\(count)")
    case ("upload_part", .put): return try append(request, to: id, after: count, of: file)
    case ("upload_finish", .post): return try finish(id, after: count, of: file, &library, at: now)
    case ("upload_abort", .post):
      sessions[id] = nil
      return Response(status: .ok)
    default: throw .notFound(40402, "no such call")
    }
  }

  private mutating func begin(
    _ request: Request, isUser: Bool, _ library: inout GokuaiLibrary, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    func header(_ name: FieldName) throws(GokuaiError) -> String {
      guard let value = request.headers.first(name) else { throw .invalid("\(name) is missing") }
      return value
    }
    guard isUser || request.target.query == "org_client_id=\(GokuaiKeys.clientID)" else {
      throw GokuaiError(code: 40103, message: "client unknown")
    }
    let pathID = try header("x-gk-upload-pathhash")
    guard let file = announced[pathID] else { throw .notFound(40402, "this file was not announced") }
    let name = file.path.lastIndex(of: UInt8(ascii: "/")).map { Array(file.path[($0 + 1)...]) } ?? file.path
    guard try header("x-gk-upload-filehash") == file.sha1, try header("x-gk-upload-filesize") == "\(file.size)",
      (try? PercentEncoding.decode(try header("x-gk-upload-filename"))) == name
    else { throw .invalid("the file is not the announced one") }
    if let known = library.content(of: file.sha1) {
      library.store(known, at: file.path, replaces: file.replaces, at: now)
      announced[pathID] = nil
      return Response(status: StatusCode(202))
    }
    lastSession += 1
    sessions["session-\(lastSession)"] = Session(pathID: pathID)
    return .json { $0.member("session", "session-\(lastSession)") }
  }

  private mutating func append(
    _ request: Request, to id: String, after count: Int, of file: Announced
  ) throws(GokuaiError) -> Response {
    let range = (request.headers.first("x-gk-upload-range") ?? "").split(separator: "-").compactMap { Int($0) }
    guard range.count == 2, range[1] - range[0] + 1 == request.body.count, range[1] < file.size else {
      throw .invalid("x-gk-upload-range does not match the block")
    }
    guard request.headers.first("x-gk-upload-crc") == "\(GokuaiChecksum.crc32(request.body))" else {
      throw .invalid("x-gk-upload-crc does not match the block")
    }
    guard range[0] == count else { return Self.conflict(expecting: count) }
    sessions[id]?.bytes.append(contentsOf: request.body)
    return Response(status: range[1] + 1 == file.size ? StatusCode(202) : .ok)
  }

  private mutating func finish(
    _ id: String, after count: Int, of file: Announced, _ library: inout GokuaiLibrary, at now: Timestamp
  ) throws(GokuaiError) -> Response {
    guard count == file.size, let session = sessions[id] else { return Self.conflict(expecting: count) }
    guard SandboxHash.sha1(session.bytes) == file.sha1 else { throw .invalid("the content has a different hash") }
    library.store(
      GokuaiLibrary.Content(bytes: session.bytes, sha1: file.sha1), at: file.path, replaces: file.replaces, at: now)
    sessions[id] = nil
    announced[session.pathID] = nil
    return Response(status: .ok)
  }

  /// Returns an error that contains the expected offset as a string.
  private static func conflict(expecting offset: Int) -> Response {
    .json(.conflict) { $0.member("expect", "\(offset)") }
  }
}

/// The checksum of a block.
enum GokuaiChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xedb8_8320 : value >> 1 }
    return value
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var state: UInt32 = 0xffff_ffff
    for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xff)] ^ (state >> 8) }
    return ~state
  }
}
