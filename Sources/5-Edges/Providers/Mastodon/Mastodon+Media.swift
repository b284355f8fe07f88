package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Posting

/// Uploads to Mastodon-compatible servers: one request uploads a file, and further requests follow until the server has processed it.
extension Mastodon {
  /// Mastodon removes files that are not published "after a day or so". Half a day is safe.
  private static let lifetime = Duration.seconds(43_200)
  /// The time to wait before asking whether a file has been processed. The server does not specify a time.
  private static let pause = Duration.seconds(2)

  package func mediaRequest(for media: PostMedia, after stage: MediaStage, _ rules: MediaRules) -> ClientRequest? {
    switch stage {
    case .missing, .partial: return upload(media, to: "/api/v2/media")
    case .processing(let id): return .get(place.endpoint("/api/v1/media/\(id)"), query: [])
    case .undescribed, .ready: return nil
    }
  }

  /// Returns the request for servers older than Mastodon 3.1.3.
  package func olderMediaRequest(for media: PostMedia, after stage: MediaStage) -> ClientRequest? {
    switch stage {
    case .missing, .partial: upload(media, to: "/api/v1/media")
    case .processing, .undescribed, .ready: nil
    }
  }

  private func upload(_ media: PostMedia, to path: String) -> ClientRequest {
    let description = media.description.map { [FileForm.Field(name: "description", value: $0)] } ?? []
    return .upload(
      to: place.endpoint(path), FileForm(description, field: "file", range: 0..<media.size, type: media.type))
  }

  package func mediaResult(
    from response: ProviderResponse, for media: PostMedia, after stage: MediaStage, _ rules: MediaRules
  ) -> MediaResult {
    let attachment = try? read(response, .object, expected: "an uploaded file") { cursor in
      try MastodonUpload(&cursor)
    }
    let isNew = stage.id == nil
    guard response.isSuccess, let id = attachment?.id ?? stage.id, Self.isFileID(id) else {
      return failedUpload(response)
    }
    let lifetime = isNew ? Self.lifetime : nil
    // Status 202 (for a new file) and 206 (for a known file) mean that the file is still being processed.
    if response.status == 202 || response.status == 206 || attachment?.url == nil {
      return .reached(.processing(id: id), after: Self.pause, lifetime: lifetime)
    }
    return .reached(.ready(id: id), lifetime: lifetime)
  }

  /// Returns whether a file's id can be used in a path. An id on snac has an extension, such as `32d3ca5e.png`.
  private static func isFileID(_ id: String) -> Bool {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && id.utf8.count <= 64 && parts.allSatisfy { isPlainID(String($0)) }
  }
}

/// A file on the server (MediaAttachment).
private struct MastodonUpload {
  private(set) var id: String?
  /// The file's address, which is missing until the file has been processed.
  private(set) var url: String?

  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientID()
      case "url": url = try cursor.lenientString()
      default: try cursor.skip()
      }
    }
  }
}
