internal import JSON
package import Time
package import Timeline

/// Writes the lines of an export.
package enum ArchiveLine {
  /// Returns a stored post as a line of an export.
  /// - Parameter post: a stored post, as a JSON object. Members unknown to this version are kept.
  package static func bytes(
    _ post: [UInt8], key: PostKey, source: [UInt8], edits: [ImportedPost.Edit]
  ) -> [UInt8] {
    let line = JSONWriter.extended(post) { writer in
      writer.member("key", key.text)
      if !source.isEmpty {
        writer.name("source")
        // A record must be on a single line, even if the provider's JSON contains line breaks.
        writer.raw(source.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
      }
      if !edits.isEmpty { writer.member("edits", list: edits, write) }
    }
    // The provider's JSON, and posts stored by earlier versions, may contain control characters.
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

extension ImportedPost {
  /// The post as one line of JSON, without the line feed.
  package var line: [UInt8] {
    if let post { return ArchiveLine.bytes(PostJSON.bytes(post), key: key, source: source, edits: edits) }
    return ArchiveLine.bytes(deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt)
  }
}
