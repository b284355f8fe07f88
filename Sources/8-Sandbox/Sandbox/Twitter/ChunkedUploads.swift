internal import Time

/// The files that the user has uploaded, in one request or in parts, as X and Twitter store them.
struct ChunkedUploads: Sendable {
  struct Entry {
    var file: UploadedFile
    /// The parts of an unfinished upload, by number; `nil` once it is finished.
    var segments: [Int: ArraySlice<UInt8>]?
    var totalBytes = 0
    /// The number of further responses that report the file as being processed.
    var pollsLeft = 0
    var expiresAt: Timestamp
  }

  /// An upload, as a response describes it.
  struct State {
    let id: Int
    let size: Int
    let isVideo: Bool
    let expiresAt: Timestamp
    /// `pending`, `in_progress`, `succeeded` or `failed`; `nil` for a file that needs no processing.
    var processing: String?
  }

  static let types = ["image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4", "video/quicktime"]
  /// How long an unpublished file is kept.
  static let lifetime = Duration.seconds(86_400)
  /// The maximum sizes of a part and of an upload, in bytes.
  private static let (segmentSize, totalSize) = (5_000_000, 512_000_000)

  private(set) var entries: [Int: Entry] = [:]
  /// The number of responses that report a video as being processed.
  var processingPolls = 2
  var failsProcessing = false

  func file(_ id: String) -> UploadedFile? { Int(id).flatMap { entries[$0]?.file } }

  /// Stores a file that arrived in one request.
  mutating func store(_ part: MultipartBody.Part, at now: Timestamp) -> State {
    let file = UploadedFile(name: part.fileName ?? "", type: part.type ?? "", content: Array(part.content))
    return add(Entry(file: file, expiresAt: now + Self.lifetime))
  }

  /// Begins an upload in parts.
  /// - Parameter lifetime: how long the client has to send all parts.
  mutating func begin(
    totalBytes: Int?, type: String?, keptFor lifetime: Duration, at now: Timestamp
  ) throws(UploadError) -> State {
    guard let totalBytes, (1...Self.totalSize).contains(totalBytes), let type, Self.types.contains(type) else {
      throw UploadError(message: "total_bytes or media_type is invalid.")
    }
    var entry = Entry(file: UploadedFile(name: "", type: type, content: []), expiresAt: now + lifetime)
    entry.segments = [:]
    entry.totalBytes = totalBytes
    return add(entry)
  }

  /// Stores a part. If the client sends a part again, the new content replaces the earlier content.
  mutating func append(
    _ part: MultipartBody.Part?, index: String?, to id: String?, at now: Timestamp
  ) throws(UploadError) -> State {
    let number = try number(id, at: now)
    guard let part, part.name == "media", part.content.count <= Self.segmentSize,
      let index = index.flatMap({ Int($0) }),
      (0...999).contains(index), entries[number]?.segments != nil
    else { throw UploadError(message: "segment_index or media is invalid.") }
    entries[number]?.segments?[index] = part.content
    return state(number)
  }

  /// Joins the parts. Repeating this changes nothing.
  mutating func finish(_ id: String?, at now: Timestamp) throws(UploadError) -> State {
    let number = try number(id, at: now)
    if let entry = entries[number], let segments = entry.segments {
      let content = (0..<segments.count).compactMap { segments[$0] }.flatMap { $0 }
      guard content.count == entry.totalBytes else {
        throw UploadError(message: "Segments do not add up to provided total file size.")
      }
      entries[number]?.file.content = content
      entries[number]?.segments = nil
      entries[number]?.expiresAt = now + Self.lifetime
      entries[number]?.pollsLeft = entry.file.type.hasPrefix("video/") ? processingPolls : 0
    }
    var state = state(number)
    if entries[number]?.pollsLeft ?? 0 > 0 { state.processing = "pending" }
    discardContents()
    return state
  }

  /// Reports how far a file has been processed, and then advances the processing.
  mutating func poll(_ id: String?, at now: Timestamp) throws(UploadError) -> State {
    let number = try number(id, at: now)
    guard let entry = entries[number], entry.segments == nil else {
      throw UploadError(message: "The upload is not finished.")
    }
    var state = state(number)
    if entry.pollsLeft == 0 {
      state.processing = "succeeded"
    } else if entry.pollsLeft == 1, failsProcessing {
      state.processing = "failed"
    } else {
      entries[number]?.pollsLeft -= 1
      state.processing = "in_progress"
    }
    return state
  }

  mutating func describe(_ id: String?, as text: String?, at now: Timestamp) throws(UploadError) {
    let number = try number(id, at: now)
    guard let text, text.count <= 1_000 else { throw UploadError(message: "alt_text is missing or too long.") }
    entries[number]?.file.description = text
  }

  func contains(_ id: String) -> Bool { Int(id).flatMap { entries[$0] } != nil }

  /// Returns a file's type.
  func type(of id: String) -> String? { Int(id).flatMap { entries[$0]?.file.type } }

  /// Returns a file to attach to a new post.
  func attachment(_ id: String, at now: Timestamp) throws(UploadError) -> SandboxPost.Attachment {
    guard let entry = Int(id).flatMap({ entries[$0] }), entry.segments == nil, entry.pollsLeft == 0,
      entry.expiresAt > now
    else { throw UploadError(message: "The validation of media ids failed.") }
    return SandboxPost.Attachment(
      isVideo: entry.file.type.hasPrefix("video/"), key: id, alternativeText: entry.file.description)
  }

  private mutating func add(_ entry: Entry) -> State {
    let number = 710_511_363_345_354_753 + entries.count
    entries[number] = entry
    discardContents()
    return state(number)
  }

  /// Discards the contents of the oldest files until the rest fit in the memory for uploaded files.
  private mutating func discardContents() {
    let numbers = entries.keys.sorted()
    let surplus = UploadedFile.surplus(of: numbers.map { entries[$0]?.file.content.count ?? 0 })
    for number in numbers.prefix(surplus) { entries[number]?.file.content = [] }
  }

  private func number(_ id: String?, at now: Timestamp) throws(UploadError) -> Int {
    guard let number = id.flatMap({ Int($0) }), let entry = entries[number], entry.expiresAt > now else {
      throw UploadError(message: "media_id is invalid, or has expired.")
    }
    return number
  }

  private func state(_ number: Int) -> State {
    guard let entry = entries[number] else { preconditionFailure("the upload exists") }
    return State(
      id: number, size: entry.file.content.count, isVideo: entry.file.type.hasPrefix("video/"),
      expiresAt: entry.expiresAt)
  }
}
