package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting
internal import Time

/// Uploads in Twitter's v1.1 API (`media/upload`): small pictures in one request, everything else in parts. The fields of a multipart form
/// are not signed (RFC 5849 §3.4.1.3.1).
extension TwitterCompatible where Self: PostingProvider {
  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ClientRequest? {
    guard let upload = addresses.endpoint("media/upload.json") else { return nil }
    switch stage {
    case .missing where !isUploadedInParts(media, rules):
      return .upload(to: upload, FileForm(field: "media", range: 0..<media.size, type: media.type))
    case .missing:
      return .post(
        upload,
        form: [
          Parameter("command", "INIT"), Parameter("total_bytes", "\(media.size)"), Parameter("media_type", media.type),
          Parameter("media_category", media.twitterCategory),
        ])
    case .partial(let id, let sent) where sent < media.size:
      let part = media.part(after: sent, rules)
      let fields = [
        Parameter("command", "APPEND"), Parameter("media_id", id), Parameter("segment_index", "\(part.index)"),
      ]
      return .upload(
        to: upload,
        FileForm(fields.map { .init($0) }, field: "media", range: part.range, type: "application/octet-stream"))
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
      return .reached(.partial(id: id, sent: media.part(after: sent, rules).range.upperBound))
    case .undescribed(let id): return .reached(.ready(id: id))
    case .missing, .partial, .processing, .ready:
      guard let upload = try? object(in: response, expected: "an upload", { cursor in try TwitterUpload(&cursor) }),
        let id = upload.id ?? stage.id
      else { return failedUpload(response) }
      if stage.id == nil, isUploadedInParts(media, rules) {
        return .reached(.partial(id: id, sent: 0), lifetime: upload.lifetime)
      }
      return upload.result(for: media, id: id)
    }
  }

  /// Returns whether a file is uploaded in parts. Videos always are: only then can they be processed after the upload.
  private func isUploadedInParts(_ media: PostMedia, _ rules: MediaRules) -> Bool {
    guard let size = rules.partSize else { return false }
    return media.size > size || !media.type.hasPrefix("image/")
  }
}
