internal import HTTP
internal import JSON

/// The files that the user has uploaded (`/api/v2/media`).
struct MastodonUploads: Sendable {
  struct Entry: Sendable {
    var file: UploadedFile
    /// The number of further responses that report the file as being processed.
    var pollsLeft: Int
    var isAttached = false
  }

  /// The maximum sizes in bytes of a picture and of any other file, according to Mastodon's source code.
  static let (imageSize, videoSize) = (16_777_216, 103_809_024)
  static let types = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/heif", "image/avif", "video/webm",
    "video/mp4", "video/quicktime", "audio/mpeg", "audio/ogg", "audio/wav", "audio/flac",
  ]
  static let descriptionLength = 1_500
  static let maximumCount = 4

  private let flavour: MastodonFlavour
  /// The uploaded files, by id.
  private(set) var entries: [String: Entry] = [:]

  init(_ flavour: MastodonFlavour) { self.flavour = flavour }

  func file(_ key: String) -> UploadedFile? { entries[key]?.file }

  private mutating func discardContents() {
    let keys = entries.keys.sorted()
    let surplus = UploadedFile.surplus(of: keys.map { entries[$0]?.file.content.count ?? 0 })
    for key in keys.prefix(surplus) { entries[key]?.file.content = [] }
  }

  /// Stores a file.
  mutating func upload(_ request: Request, _ quirks: MastodonQuirks) throws(MastodonError) -> Response {
    guard let body = MultipartBody(request), let part = body.file, part.name == "file",
      let name = part.fileName, let type = part.type, body.parts.allSatisfy({ $0.isFile || $0.name == "description" })
    else { throw .invalid("File can't be blank") }
    guard Self.types.contains(type) else { throw .invalid("File content type is invalid") }
    let isImage = type.hasPrefix("image/")
    guard part.content.count <= (isImage ? Self.imageSize : Self.videoSize) else { throw .invalid("File is too big") }
    let description = body.text("description")
    guard (description?.count ?? 0) <= Self.descriptionLength else { throw .invalid("Description is too long") }
    // snac derives the id from the name, with an extension for the type, and replaces a file with the same name.
    let id =
      flavour == .snac
      ? "\(SandboxHash.sha1(Array(name.utf8)).prefix(32)).\(type.split(separator: "/").last ?? "bin")"
      : String(110_000 + entries.count)
    let polls = isImage || !flavour.processesFiles ? 0 : quirks.processingPolls
    entries[id] = Entry(
      file: UploadedFile(name: name, type: type, content: Array(part.content), description: description),
      pollsLeft: polls)
    discardContents()
    return response(id, status: polls > 0 ? StatusCode(202) : .ok)
  }

  /// Returns the state of a file (`GET /api/v1/media/ID`).
  mutating func state(_ id: String, _ quirks: MastodonQuirks) throws(MastodonError) -> Response {
    guard flavour != .snac, let entry = entries[id], !entry.isAttached else { throw .notFound }
    guard entry.pollsLeft > 0 else { return response(id) }
    entries[id]?.pollsLeft -= 1
    if entry.pollsLeft == 1, quirks.failsProcessing { throw .invalid("File could not be processed") }
    return response(id, status: StatusCode(206))
  }

  /// Attaches files to a new post.
  mutating func attach(_ ids: [String]) throws(MastodonError) -> [SandboxPost.Attachment] {
    guard ids.count <= Self.maximumCount else { throw .invalid("Cannot attach more than 4 files") }
    for id in ids {
      guard let entry = entries[id], !entry.isAttached else { throw .notFound }
      guard entry.pollsLeft == 0 else {
        throw .invalid("Cannot attach files that have not finished processing. Try again in a moment!")
      }
    }
    return ids.compactMap { id in
      // snac allows a file to be attached again.
      if flavour != .snac { entries[id]?.isAttached = true }
      return entries[id].map {
        SandboxPost.Attachment(
          isVideo: $0.file.type.hasPrefix("video/"), key: id, alternativeText: $0.file.description)
      }
    }
  }

  private func response(_ id: String, status: StatusCode = .ok) -> Response {
    let entry = entries[id]
    let address = "https://img.example/media/\(id)"
    var json = JSONWriter()
    json.object { json in
      json.member("id", id)
      json.member("type", entry?.file.type.hasPrefix("image/") == true ? "image" : "video")
      json.member("url", status == .ok ? address + ".png" : nil)
      json.member("preview_url", status == .ok ? address + ".small.png" : nil)
      json.member("remote_url", String?.none)
      json.member("description", entry?.file.description)
      json.member("blurhash", String?.none)
    }
    return Response(json: json.bytes, status: status)
  }
}

extension MastodonFlavour {
  /// Whether videos are processed after the upload.
  var processesFiles: Bool {
    switch self {
    case .mastodon, .oldMastodon: true
    case .goToSocial, .akkoma, .snac: false
    }
  }
}
