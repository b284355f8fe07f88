internal import HTTP
internal import JSON
internal import Time

/// Uploads with X's v2 API (`/2/media/upload`), in parts.
struct V2Uploads: Sendable {
  /// The type and the maximum size in bytes for each `media_category`.
  private static let categories: [String: (type: String, size: Int)] = [
    "tweet_image": ("image/", 5_000_000), "tweet_gif": ("image/gif", 15_000_000),
    "tweet_video": ("video/", 512_000_000),
  ]
  /// How long X waits for the parts of a file.
  private static let unfinishedLifetime = Duration.seconds(1_295_999)

  var store = ChunkedUploads()

  /// Responds to a request that uploads or describes a file.
  mutating func response(
    to request: Request, _ route: TwitterRoute, at now: Timestamp
  ) throws(V2Error) -> Response {
    let segments = request.target.path.split(separator: "/")
    let id = segments.count > 3 ? String(segments[3]) : nil
    do throws(UploadError) {
      switch route {
      case .uploadStart: return response(try begin(request, at: now), at: now)
      case .uploadPart:
        guard let body = MultipartBody(request), body.parts.count == 2 else {
          throw UploadError(message: "The body must be a multipart form with segment_index and media.")
        }
        let upload = try store.append(body.file, index: body.text("segment_index"), to: id, at: now)
        return Self.response { $0.member("expires_at", upload.expiresAt.seconds) }
      case .uploadEnd:
        guard request.body.isEmpty else { throw UploadError(message: "The request must have no body.") }
        return response(try store.finish(id, at: now), at: now)
      case .uploadState:
        let query = try? RequestForm(query: request)
        guard (try? query?.value("command")) == "STATUS" else { throw UploadError(message: "command must be STATUS.") }
        return response(try store.poll(try? query?.value("media_id"), at: now), at: now)
      default:
        try describe(request, at: now)
        return Response(json: Array(#"{"data":{}}"#.utf8))
      }
    } catch { throw .badParameter("media", id ?? "", error.message) }
  }

  /// Returns the files to attach to a new post: up to four pictures, or one video or GIF.
  func attach(_ ids: [String], at now: Timestamp) throws(V2Error) -> [SandboxPost.Attachment] {
    do throws(UploadError) {
      let types = ids.map { store.type(of: $0) ?? "" }
      guard ids.count <= 4, ids.count <= 1 || !types.contains(where: { $0 == "image/gif" || $0.hasPrefix("video/") })
      else { throw UploadError(message: "A post can have four pictures, or one video or GIF.") }
      var attachments: [SandboxPost.Attachment] = []
      for id in ids { attachments.append(try store.attachment(id, at: now)) }
      return attachments
    } catch { throw .badParameter("media.media_ids", ids.joined(separator: ","), error.message) }
  }

  private mutating func begin(_ request: Request, at now: Timestamp) throws(UploadError) -> ChunkedUploads.State {
    var (total, type, category): (Int64?, String?, String?)
    try Self.read(request) { cursor, name in
      switch name {
      case "total_bytes": total = try cursor.integer(in: 0...Int64.max)
      case "media_type": type = try cursor.string()
      case "media_category": category = try cursor.string()
      case "shared", "additional_owners": try cursor.skip()
      default: return false
      }
      return true
    }
    guard let rule = category.flatMap({ Self.categories[$0] }), let type, type.hasPrefix(rule.type),
      let total, total <= Int64(rule.size)
    else { throw UploadError(message: "media_category does not match the type or the size.") }
    return try store.begin(totalBytes: Int(total), type: type, keptFor: Self.unfinishedLifetime, at: now)
  }

  private mutating func describe(_ request: Request, at now: Timestamp) throws(UploadError) {
    var (id, text): (String?, String?)
    try Self.read(request) { cursor, name in
      switch name {
      case "id": id = try cursor.string()
      case "metadata":
        try cursor.members { cursor, name in
          if name == "alt_text" {
            try cursor.members { cursor, _ in text = try cursor.string() }
          } else {
            try cursor.skip()
          }
        }
      default: return false
      }
      return true
    }
    guard id.flatMap({ store.type(of: $0) })?.hasPrefix("image/") != false else {
      throw UploadError(message: "Only pictures have alt_text.")
    }
    try store.describe(id, as: text, at: now)
  }

  /// Reads the JSON body of a request.
  /// - Parameter member: returns false for an unknown member, which X refuses.
  private static func read(
    _ request: Request, _ member: (inout JSONCursor, JSONName) throws -> Bool
  ) throws(UploadError) {
    var isKnown = request.headers.first(.contentType) == "application/json"
    do {
      var cursor = JSONCursor(request.body)
      try cursor.members { cursor, name in
        if try !member(&cursor, name) {
          isKnown = false
          try cursor.skip()
        }
      }
      try cursor.end()
    } catch { isKnown = false }
    guard isKnown else { throw UploadError(message: "The body is not JSON, or has unknown members.") }
  }

  private func response(_ upload: ChunkedUploads.State, at now: Timestamp) -> Response {
    Self.response { json in
      json.member("id", String(upload.id))
      json.member("media_key", "\(upload.isVideo ? 7 : 3)_\(upload.id)")
      if upload.size > 0 { json.member("size", upload.size) }
      json.member("expires_after_secs", upload.expiresAt.seconds - now.seconds)
      upload.writeProcessing(to: &json)
    }
  }

  private static func response(_ members: (inout JSONWriter) -> Void) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.name("data")
      json.object(members)
    }
    return Response(json: json.bytes)
  }
}
