internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// Uploads with the v1.1 API (`media/upload`), in the variants of Twitter and GNU social.
struct TwitterUploads: Sendable {
  /// The maximum size of a picture in bytes.
  private static let imageSize = 5_000_000
  /// How long Twitter waits for the parts of a file.
  private static let unfinishedLifetime = Duration.seconds(3_599)

  private let isGNUSocial: Bool
  var store = ChunkedUploads()

  init(isGNUSocial: Bool) { self.isGNUSocial = isGNUSocial }

  /// Responds to a request for `media/upload`.
  mutating func response(
    to request: Request, _ signature: ReceivedSignature, at now: Timestamp
  ) throws(TwitterError) -> Response {
    let body = MultipartBody(request)
    if isGNUSocial {
      guard let body, let part = body.file, part.name == "media" else {
        // GNU social reports upload errors with status 200.
        return Response(json: Array(#"{"errors":[{"message":"No file was uploaded.","code":131}]}"#.utf8))
      }
      return response(store.store(part, at: now), at: now)
    }
    do throws(UploadError) {
      switch body?.text("command") ?? signature["command"] {
      case nil:
        guard let part = body?.file, part.name == "media", body?.parts.count == 1 else {
          throw UploadError(message: "media parameter is missing.")
        }
        guard part.content.count <= Self.imageSize, part.type?.hasPrefix("image/") == true else {
          throw UploadError(message: "File size exceeds 5242880 bytes, or the type needs a chunked upload.")
        }
        return response(store.store(part, at: now), at: now)
      case "INIT":
        let upload = try store.begin(
          totalBytes: signature["total_bytes"].flatMap { Int($0) }, type: signature["media_type"],
          keptFor: Self.unfinishedLifetime, at: now)
        return response(upload, at: now, status: StatusCode(202))
      case "APPEND":
        guard let body else { throw UploadError(message: "APPEND needs a multipart form.") }
        _ = try store.append(body.file, index: body.text("segment_index"), to: body.text("media_id"), at: now)
        return Response(status: .noContent)
      case "FINALIZE": return response(try store.finish(signature["media_id"], at: now), at: now)
      case "STATUS" where request.method == .get:
        return response(try store.poll(signature["media_id"], at: now), at: now)
      default: throw UploadError(message: "command parameter is invalid.")
      }
    } catch { throw TwitterError(error) }
  }

  /// Sets the description of a file (`media/metadata/create`), from a JSON body.
  mutating func describe(_ request: Request, at now: Timestamp) throws(TwitterError) -> Response {
    var (id, text): (String?, String?)
    do {
      guard request.headers.first(.contentType) == "application/json" else { throw TwitterError.badParameter("body") }
      var cursor = JSONCursor(request.body)
      try cursor.members { cursor, name in
        switch name {
        case "media_id": id = try cursor.string()
        case "alt_text": try cursor.members { cursor, _ in text = try cursor.string() }
        default: try cursor.skip()
        }
      }
      try cursor.end()
    } catch { throw .badParameter("body") }
    do throws(UploadError) { try store.describe(id, as: text, at: now) } catch { throw TwitterError(error) }
    return Response(status: .ok)
  }

  /// Returns the files to attach to a new post.
  func attach(_ list: String?, at now: Timestamp) throws(TwitterError) -> [SandboxPost.Attachment] {
    var ids = list?.split(separator: ",").map { String($0) } ?? []
    // GNU social drops unknown ids silently.
    if isGNUSocial { ids = ids.filter(store.contains) }
    guard ids.count <= 4 || isGNUSocial else { throw .badParameter("media_ids") }
    do throws(UploadError) {
      var attachments: [SandboxPost.Attachment] = []
      for id in ids { attachments.append(try store.attachment(id, at: now)) }
      return attachments
    } catch { throw TwitterError(error) }
  }

  private func response(_ upload: ChunkedUploads.State, at now: Timestamp, status: StatusCode = .ok) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("media_id", upload.id)
      json.member("media_id_string", String(upload.id))
      json.member("size", upload.size)
      if isGNUSocial {
        json.member("media_url", "https://img.example/media/\(upload.id).png")
      } else {
        json.member("expires_after_secs", upload.expiresAt.seconds - now.seconds)
      }
      upload.writeProcessing(to: &json)
    }
    return Response(json: json.bytes, status: status)
  }
}

extension ChunkedUploads.State {
  /// Writes `processing_info`, which is omitted for a file that needs no processing.
  func writeProcessing(to json: inout JSONWriter) {
    guard let processing else { return }
    json.name("processing_info")
    json.object { json in
      json.member("state", processing)
      if processing == "failed" {
        json.name("error")
        json.object { json in
          json.member("code", 1)
          json.member("name", "InvalidMedia")
          json.member("message", "Unsupported video format")
        }
      } else if processing != "succeeded" {
        json.member("check_after_secs", 1)
      }
    }
  }
}

extension TwitterError {
  fileprivate init(_ error: UploadError) {
    self.init(status: .badRequest, code: 324, message: error.message)
  }
}
