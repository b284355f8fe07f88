package import CivilTime
internal import JSON
package import Timeline

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
