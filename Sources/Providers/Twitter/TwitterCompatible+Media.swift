internal import CivilTime
internal import HomelineOAuth
internal import JSON
package import Posting

/// Uploads in Twitter's v1.1 API (`media/upload`): small pictures in one request, everything else in parts. The fields of a multipart form
/// are not signed (RFC 5849 §3.4.1.3.1).
extension TwitterCompatible where Self: PostingProvider {
  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ProviderRequest? {
    guard let upload = addresses.endpoint("media/upload.json") else { return nil }
    switch stage {
    case .missing where !isUploadedInParts(media, rules):
      return .upload(to: upload, [], MultipartFile(field: "media", range: 0..<media.size, type: media.type))
    case .missing:
      return .post(
        upload,
        form: [
          Parameter("command", "INIT"), Parameter("total_bytes", "\(media.size)"), Parameter("media_type", media.type),
          Parameter("media_category", Self.category(of: media)),
        ])
    case .partial(let id, let sent) where sent < media.size:
      let size = rules.partSize ?? media.size
      let fields = [
        Parameter("command", "APPEND"), Parameter("media_id", id), Parameter("segment_index", "\(sent / size)"),
      ]
      let range = sent..<min(sent + size, media.size)
      return .upload(
        to: upload, fields, MultipartFile(field: "media", range: range, type: "application/octet-stream"))
    case .partial(let id, _): return .post(upload, form: [Parameter("command", "FINALIZE"), Parameter("media_id", id)])
    case .processing(let id):
      return .get(upload, query: [Parameter("command", "STATUS"), Parameter("media_id", id)])
    case .undescribed(let id):
      var json = JSONWriter()
      json.object { json in
        json.member("media_id", id)
        json.name("alt_text")
        json.object { $0.member("text", media.description ?? "") }
      }
      return addresses.endpoint("media/metadata/create.json").map { .post($0, json: json.bytes) }
    case .ready: return nil
    }
  }

  package func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult {
    guard response.isSuccess, !Self.isError(response) else { return failedUpload(response) }
    switch stage {
    case .partial(let id, let sent) where sent < media.size:
      // The response has no content.
      return .reached(.partial(id: id, sent: min(sent + (rules.partSize ?? media.size), media.size)))
    case .undescribed(let id): return .reached(.ready(id: id))
    case .missing, .partial, .processing, .ready:
      guard let upload = try? object(in: response, expected: "an upload", { cursor in try TwitterUpload(&cursor) }),
        let id = upload.id ?? stage.id
      else { return failedUpload(response) }
      let lifetime = upload.lifetime
      if stage.id == nil, isUploadedInParts(media, rules) {
        return .reached(.partial(id: id, sent: 0), lifetime: lifetime)
      }
      switch upload.state {
      case nil, "succeeded":
        return .reached(media.description == nil ? .ready(id: id) : .undescribed(id: id), lifetime: lifetime)
      case "failed": return .refused(upload.error ?? "The server could not process the file.")
      default:
        return .reached(.processing(id: id), after: .seconds(max(1, upload.checkAfter ?? 2)), lifetime: lifetime)
      }
    }
  }

  /// Videos are processed after the upload, which only an upload in parts allows.
  private func isUploadedInParts(_ media: PostMedia, _ rules: MediaRules) -> Bool {
    guard let size = rules.partSize else { return false }
    return media.size > size || !media.type.hasPrefix("image/")
  }

  private static func category(of media: PostMedia) -> String {
    media.type == "image/gif" ? "tweet_gif" : media.type.hasPrefix("image/") ? "tweet_image" : "tweet_video"
  }
}

extension ProviderRequest {
  fileprivate static func upload(to url: RequestURL, _ fields: [Parameter], _ file: MultipartFile) -> Self {
    ProviderRequest(method: "POST", url: url, form: [], headers: [], body: .multipart(fields, file))
  }
}

/// The response to INIT, FINALIZE, STATUS and to an upload in one request.
private struct TwitterUpload {
  private(set) var id: String?
  private(set) var lifetime: Duration?
  /// `pending`, `in_progress`, `succeeded` or `failed`; `nil` for a file that needs no processing.
  private(set) var state: String?
  /// In seconds.
  private(set) var checkAfter: Int?
  private(set) var error: String?

  init(_ cursor: inout JSONCursor) throws {
    var number: String?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "media_id_string": id = try cursor.lenientID()
      case "media_id": number = try cursor.lenientID()
      case "expires_after_secs": lifetime = try cursor.lenientCount().map { .seconds(min($0, 1 << 30)) }
      case "processing_info": try readProcessing(&cursor)
      default: try cursor.skip()
      }
    }
    id = id ?? number
  }

  private mutating func readProcessing(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "state": state = try cursor.lenientString()
      case "check_after_secs": checkAfter = try cursor.lenientCount().map { min($0, 3600) }
      case "error":
        try cursor.lenientMembers { cursor, name in
          if name == "message" { error = try cursor.lenientString() } else { try cursor.skip() }
        }
      default: try cursor.skip()
      }
    }
  }
}
