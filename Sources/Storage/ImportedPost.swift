package import CivilTime
internal import JSON
internal import Publish
package import Timeline

/// A post of an archive as it is exported and imported: all that is kept of it.
package struct ImportedPost: Sendable, Hashable {
  /// What it said before, and until when.
  package struct Edit: Sendable, Hashable {
    package let until: Timestamp
    /// The id that it had then.
    package let id: PostID
    package let text: String

    package init(until: Timestamp, id: PostID, text: String) {
      self.until = until
      self.id = id
      self.text = text
    }
  }

  package let key: PostKey
  package let id: PostID
  package let createdAt: Timestamp
  /// `nil` for one that was deleted.
  package let post: Post?
  /// The provider's own words, JSON; empty where they are not known.
  package let source: [UInt8]
  /// The oldest first.
  package let edits: [Edit]
  package let deletedAt: Timestamp?

  package init(_ post: Post, key: PostKey, source: [UInt8] = [], edits: [Edit] = []) {
    (id, createdAt, self.post, deletedAt) = (post.id, post.createdAt, post, nil)
    self.key = key
    self.source = source
    self.edits = edits
  }

  /// One that was deleted at the provider.
  package init(deleted id: PostID, key: PostKey, createdAt: Timestamp, deletedAt: Timestamp) {
    self.key = key
    self.id = id
    self.createdAt = createdAt
    self.deletedAt = deletedAt
    (post, source, edits) = (nil, [], [])
  }

  package var mark: PostPosition { PostPosition(id: id, key: key) }
}

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

/// Why a line that is JSON is no post.
enum ImportedPostError: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case meaninglessID
  case meaninglessKey
  case meaninglessTime(String)
  /// Neither a `key` nor a decimal id.
  case noPlace

  var description: String {
    switch self {
    case .missing(let name): "\(name) is missing"
    case .meaninglessID: "'id' should be a text of 1 to 200 bytes"
    case .meaninglessKey: "'key' should be a text of 1 to 200 ASCII characters without spaces"
    case .meaninglessTime(let name): "'\(name)' should be a time such as 2026-11-20T16:00:00Z"
    case .noPlace: "the post's place is not known: it has no 'key', and its id is no decimal number"
    }
  }
}

/// Writes the lines of an export.
package enum ArchiveLine {
  /// - Parameter post: a post as it is stored, an object; what this version does not know of it stays.
  package static func bytes(
    _ post: [UInt8], key: PostKey, source: [UInt8], edits: [ImportedPost.Edit]
  ) -> [UInt8] {
    let line = JSONWriter.extended(post) { writer in
      writer.member("key", key.text)
      if !source.isEmpty {
        writer.name("source")
        // A line is a line, however its provider writes.
        writer.raw(source.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
      }
      if !edits.isEmpty { writer.member("edits", list: edits, write) }
    }
    // Neither the provider's own JSON nor a post of a version before need be free of control characters.
    return VisibleJSON.escaped(line)
  }

  package static func bytes(deleted id: PostID, key: PostKey, createdAt: Timestamp, deletedAt: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id.text)
      writer.member("created_at", createdAt.rfc3339)
      writer.member("deleted_at", deletedAt.rfc3339)
      writer.member("key", key.text)
    }
    return writer.bytes
  }

  private static func write(to writer: inout JSONWriter, _ edit: ImportedPost.Edit) {
    writer.object { writer in
      writer.member("until", edit.until.rfc3339)
      writer.member("id", edit.id.text)
      writer.member("text", edit.text)
    }
  }
}
