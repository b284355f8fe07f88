package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting

/// Uploads in X's v2 API: every file is sent in parts, because this also works for videos. Neither JSON nor the fields of a multipart form
/// are signed with OAuth 1.0a (RFC 5849 §3.4.1.3.1).
extension X {
  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ClientRequest? {
    switch stage {
    case .missing:
      return endpoint("/2/media/upload/initialize").map {
        .post(
          $0,
          json: Self.object { json in
            json.member("media_type", media.type)
            json.member("total_bytes", media.size)
            json.member("media_category", media.twitterCategory)
          })
      }
    case .partial(let id, let sent) where sent < media.size:
      let part = media.part(after: sent, rules)
      return endpoint("/2/media/upload/\(id)/append").map {
        .upload(
          to: $0,
          FileForm(
            [.init(name: "segment_index", value: "\(part.index)")], field: "media", range: part.range,
            type: "application/octet-stream"))
      }
    case .partial(let id, _): return endpoint("/2/media/upload/\(id)/finalize").map { .post($0) }
    case .processing(let id):
      return endpoint("/2/media/upload").map {
        .get($0, query: [Parameter("command", "STATUS"), Parameter("media_id", id)])
      }
    case .undescribed(let id):
      return endpoint("/2/media/metadata").map {
        .post(
          $0,
          json: Self.object { json in
            json.member("id", id)
            json.name("metadata")
            json.object { json in
              json.name("alt_text")
              json.object { $0.member("text", media.description ?? "") }
            }
          })
      }
    case .ready: return nil
    }
  }

  package func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult {
    guard response.isSuccess else { return failedUpload(response) }
    switch stage {
    case .partial(let id, let sent) where sent < media.size:
      return .reached(.partial(id: id, sent: media.part(after: sent, rules).range.upperBound))
    case .undescribed(let id): return .reached(.ready(id: id))
    case .missing, .partial, .processing, .ready:
      // The id becomes part of other addresses.
      guard let upload = Self.upload(in: response), let id = upload.id ?? stage.id, DecimalID.isDecimal(id) else {
        return failedUpload(response)
      }
      return stage == .missing
        ? .reached(.partial(id: id, sent: 0), lifetime: upload.lifetime) : upload.result(for: media, id: id)
    }
  }

  /// Returns the object in `data`.
  private static func upload(in response: ProviderResponse) -> TwitterUpload? {
    var cursor = JSONCursor(response.body)
    var upload: TwitterUpload?
    try? cursor.members { cursor, name in
      if name == "data" { upload = try TwitterUpload(&cursor) } else { try cursor.skip() }
    }
    return upload
  }
}

extension MediaRules {
  /// According to X's documentation: four pictures, or one GIF or video. Only pictures and GIFs have descriptions.
  static let x = MediaRules(
    maximumCount: 4, types: twitterTypes, imageSize: 5_000_000, animationSize: 15_000_000, videoSize: 512_000_000,
    descriptionLength: 1000, partSize: twitterPartSize, soleTypes: ["image/gif", "video/mp4", "video/quicktime"])
}
