internal import CivilTime
internal import HTTP
internal import HomelineOAuth
internal import JSON

/// The files that the user has uploaded (`media/upload`), with the particulars of Twitter and of GNU social.
struct TwitterUploads: Sendable {
  struct Entry: Sendable {
    var file: UploadedFile
    /// The parts of an upload that is not finished, by number; `nil` after FINALIZE.
    var segments: [Int: ArraySlice<UInt8>]?
    var totalBytes = 0
    /// How often the client will hear that the file is being processed.
    var pollsLeft = 0
    var expiresAt: Timestamp
  }

  /// In bytes.
  private static let (segmentSize, imageSize) = (5_000_000, 5_000_000)
  private static let types = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4", "video/quicktime",
  ]

  private let isGNUSocial: Bool
  /// By id. The ids grow.
  private(set) var entries: [Int: Entry] = [:]
  /// How often a client hears that its video is being processed, and whether that fails in the end.
  var processingPolls = 2
  var failsProcessing = false

  init(isGNUSocial: Bool) { self.isGNUSocial = isGNUSocial }

  /// Responds to a request for `media/upload`.
  mutating func response(
    to request: Request, _ signature: ReceivedSignature, at now: Timestamp
  ) throws(TwitterError) -> Response {
    let body = MultipartBody(request)
    let command = body?.text("command") ?? signature["command"]
    if isGNUSocial {
      guard let body, let part = body.file, part.name == "media" else {
        // GNU social sends errors of uploads with status 200.
        return Response(json: Array(#"{"errors":[{"message":"No file was uploaded.","code":131}]}"#.utf8))
      }
      return try store(part, at: now)
    }
    switch command {
    case nil:
      guard let part = body?.file, part.name == "media", body?.parts.count == 1 else {
        throw .invalidMedia("media parameter is missing.")
      }
      guard part.content.count <= Self.imageSize, part.type?.hasPrefix("image/") == true else {
        throw .invalidMedia("File size exceeds 5242880 bytes, or the type needs a chunked upload.")
      }
      return try store(part, at: now)
    case "INIT": return try begin(signature, at: now)
    case "APPEND":
      guard let body else { throw .invalidMedia("APPEND needs a multipart form.") }
      return try append(body, at: now)
    case "FINALIZE": return try finish(try entry(signature["media_id"], at: now))
    case "STATUS" where request.method == .get: return try state(try entry(signature["media_id"], at: now))
    default: throw .invalidMedia("command parameter is invalid.")
    }
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
    guard let text, text.count <= 1_000 else { throw .badParameter("alt_text") }
    let number = try entry(id, at: now)
    entries[number]?.file.description = text
    return Response(status: .ok)
  }

  /// Takes the files of a new post.
  mutating func attach(_ list: String?, at now: Timestamp) throws(TwitterError) -> [SandboxPost.Attachment] {
    let ids = list?.split(separator: ",").map { String($0) } ?? []
    guard ids.count <= 4 || isGNUSocial else { throw .badParameter("media_ids") }
    var attachments: [SandboxPost.Attachment] = []
    for id in ids {
      guard let number = Int(id), let entry = entries[number] else {
        // GNU social drops unknown ids silently.
        if isGNUSocial { continue }
        throw TwitterError(status: .badRequest, code: 324, message: "The validation of media ids failed.")
      }
      guard entry.segments == nil, entry.pollsLeft == 0, entry.expiresAt > now else {
        throw TwitterError(status: .badRequest, code: 324, message: "The validation of media ids failed.")
      }
      attachments.append(
        SandboxPost.Attachment(
          isVideo: entry.file.type.hasPrefix("video/"), key: id, alternativeText: entry.file.description))
    }
    return attachments
  }

  private mutating func store(_ part: MultipartBody.Part, at now: Timestamp) throws(TwitterError) -> Response {
    let file = UploadedFile(name: part.fileName ?? "", type: part.type ?? "", content: Array(part.content))
    return response(add(Entry(file: file, expiresAt: now + .seconds(86_400))), lifetime: 86_400)
  }

  private mutating func begin(_ signature: ReceivedSignature, at now: Timestamp) throws(TwitterError) -> Response {
    guard let total = signature["total_bytes"].flatMap({ Int($0) }), (1...512_000_000).contains(total),
      let type = signature["media_type"], Self.types.contains(type)
    else { throw .invalidMedia("total_bytes or media_type is invalid.") }
    var entry = Entry(file: UploadedFile(name: "", type: type, content: []), expiresAt: now + .seconds(3_599))
    entry.segments = [:]
    entry.totalBytes = total
    var response = response(add(entry), lifetime: 3_599)
    response.status = StatusCode(202)
    return response
  }

  /// A part that arrives again replaces the first one.
  private mutating func append(_ body: MultipartBody, at now: Timestamp) throws(TwitterError) -> Response {
    let number = try entry(body.text("media_id"), at: now)
    guard let part = body.file, part.name == "media", part.content.count <= Self.segmentSize,
      let index = body.text("segment_index").flatMap({ Int($0) }), (0...999).contains(index),
      entries[number]?.segments != nil
    else { throw .invalidMedia("segment_index or media is invalid.") }
    entries[number]?.segments?[index] = part.content
    return Response(status: .noContent)
  }

  private mutating func finish(_ number: Int) throws(TwitterError) -> Response {
    guard let entry = entries[number] else { throw .notFound }
    if let segments = entry.segments {
      let content = (0..<segments.count).compactMap { segments[$0] }.flatMap { $0 }
      guard content.count == entry.totalBytes else {
        throw .invalidMedia("Segments do not add up to provided total file size.")
      }
      entries[number]?.file.content = content
      entries[number]?.segments = nil
      entries[number]?.expiresAt = entry.expiresAt + .seconds(86_400 - 3_599)
      entries[number]?.pollsLeft = entry.file.type.hasPrefix("video/") ? processingPolls : 0
    }
    let polls = entries[number]?.pollsLeft ?? 0
    return response(number, lifetime: 86_400, state: polls > 0 ? "pending" : nil)
  }

  private mutating func state(_ number: Int) throws(TwitterError) -> Response {
    guard let entry = entries[number], entry.segments == nil else { throw .notFound }
    guard entry.pollsLeft > 0 else { return response(number, lifetime: 86_400, state: "succeeded") }
    if entry.pollsLeft == 1, failsProcessing { return response(number, lifetime: 86_400, state: "failed") }
    entries[number]?.pollsLeft -= 1
    return response(number, lifetime: 86_400, state: "in_progress")
  }

  private mutating func add(_ entry: Entry) -> Int {
    let number = 710_511_363_345_354_753 + entries.count
    entries[number] = entry
    return number
  }

  private func entry(_ id: String?, at now: Timestamp) throws(TwitterError) -> Int {
    guard let number = id.flatMap({ Int($0) }), let entry = entries[number], entry.expiresAt > now else {
      throw .invalidMedia("media_id is invalid, or has expired.")
    }
    return number
  }

  private func response(_ number: Int, lifetime: Int, state: String? = nil) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("media_id", number)
      json.member("media_id_string", String(number))
      json.member("size", entries[number]?.file.content.count)
      if isGNUSocial {
        json.member("media_url", "https://img.example/media/\(number).png")
      } else {
        json.member("expires_after_secs", lifetime)
      }
      guard let state else { return }
      json.name("processing_info")
      json.object { json in
        json.member("state", state)
        if state == "failed" {
          json.name("error")
          json.object { json in
            json.member("code", 1)
            json.member("name", "InvalidMedia")
            json.member("message", "Unsupported video format")
          }
        } else if state != "succeeded" {
          json.member("check_after_secs", 1)
        }
      }
    }
    return Response(json: json.bytes)
  }
}

extension TwitterError {
  fileprivate static func invalidMedia(_ reason: String) -> TwitterError {
    TwitterError(status: .badRequest, code: 324, message: reason)
  }
}
