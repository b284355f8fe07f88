internal import CivilTime
internal import JSON
internal import Publish
internal import Timeline

/// A post as a line of an export: the object that is published, and `key`, `source`, `edits`; of one that was deleted
/// `id`, `created_at`, `deleted_at` and `key`.
extension ImportedPost {
  /// The post in one line, without a line feed.
  package var line: [UInt8] {
    if let post { return ArchiveLine.bytes(PostJSON.bytes(post), key: key, source: source, edits: edits) }
    return ArchiveLine.bytes(deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt)
  }

  /// Reads a line of an export, or of a published `home_timeline.jsonl`, which has no `key`: then a decimal id says the place.
  /// - Throws: `JSONError`, `PublishedFormatError` or `ImportedPostError`.
  package init(line: [UInt8]) throws {
    var cursor = JSONCursor(line)
    let members = try Members(&cursor)
    try cursor.end()
    let deletedAt = members.deletedAt
    let post = deletedAt == nil ? try PostJSON.read(line) : nil
    guard let id = post?.id ?? members.id else { throw ImportedPostError.missing("id") }
    guard let createdAt = post?.createdAt ?? members.createdAt else { throw ImportedPostError.missing("created_at") }
    if id.text.isEmpty || id.text.utf8.count > Self.longestKey { throw ImportedPostError.meaninglessID }
    let key = try members.key ?? Self.key(of: id)
    if let post {
      self.init(post, key: key, source: members.source.map { Array(line[$0]) } ?? [], edits: members.edits)
    } else {
      self.init(deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt)
    }
  }

  private static func key(of id: PostID) throws(ImportedPostError) -> PostKey {
    guard let key = PostKey(decimal: id) else { throw .noPlace }
    return key
  }

  /// In bytes; far longer than any that a provider makes.
  private static let longestKey = 200

  /// What stands beside the post.
  private struct Members {
    var id: PostID?
    var createdAt: Timestamp?
    var deletedAt: Timestamp?
    var key: PostKey?
    var source: Range<Int>?
    var edits: [Edit] = []

    init(_ cursor: inout JSONCursor) throws {
      try cursor.members { cursor, name in
        switch name {
        case "id": id = PostID(try cursor.string())
        case "created_at": createdAt = try Self.time(name, &cursor)
        case "deleted_at": deletedAt = try cursor.null() ? nil : Self.time(name, &cursor)
        case "key": key = try cursor.null() ? nil : Self.key(&cursor)
        case "source": source = try cursor.null() ? nil : cursor.skip()
        case "edits": edits = try cursor.null() ? [] : cursor.list(Self.edit)
        default: try cursor.skip()
        }
      }
    }

    private static func key(_ cursor: inout JSONCursor) throws -> PostKey {
      let text = try cursor.string()
      guard (1...ImportedPost.longestKey).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
      else { throw ImportedPostError.meaninglessKey }
      return PostKey(text)
    }

    private static func time(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Timestamp {
      guard let time = Timestamp(rfc3339: try cursor.string()) else {
        throw ImportedPostError.meaninglessTime(name.text)
      }
      return time
    }

    private static func edit(_ cursor: inout JSONCursor) throws -> Edit {
      var until: Timestamp?
      var id: String?
      var text: String?
      try cursor.members { cursor, name in
        switch name {
        case "until": until = try time(name, &cursor)
        case "id": id = try cursor.string()
        case "text": text = try cursor.string()
        default: try cursor.skip()
        }
      }
      guard let until, let id, let text else { throw ImportedPostError.missing("until, id or text of an edit") }
      return Edit(until: until, id: PostID(id), text: text)
    }
  }
}
