internal import JSON
package import Time
package import Timeline

/// Writes the lines of an export.
package enum ArchiveLine {
  /// Returns a stored post as a line of an export.
  /// - Parameter post: a stored post, as a JSON object. Members unknown to this version are kept.
  package static func bytes(
    _ post: [UInt8], key: PostKey, source: [UInt8], edits: [ImportedPost.Edit], timelines: [PostTimeline] = [.home]
  ) -> [UInt8] {
    let line = JSONWriter.extended(post) { writer in
      writer.member("key", key.text)
      if !source.isEmpty {
        writer.name("source")
        // A record must be on a single line, even if the provider's JSON contains line breaks.
        writer.raw(source.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
      }
      if !edits.isEmpty { writer.member("edits", list: edits, write) }
      write(timelines, key: key, to: &writer)
    }
    // The provider's JSON, and posts stored by earlier versions, may contain control characters.
    return VisibleJSON.escaped(line)
  }

  package static func bytes(
    deleted id: PostID, key: PostKey, createdAt: Timestamp, deletedAt: Timestamp, timelines: [PostTimeline] = [.home]
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id.text)
      writer.member("created_at", createdAt.rfc3339)
      writer.member("deleted_at", deletedAt.rfc3339)
      writer.member("key", key.text)
      write(timelines, key: key, to: &writer)
    }
    return writer.bytes
  }

  /// Writes the names of the timelines, unless home alone contains the post.
  private static func write(_ timelines: [PostTimeline], key: PostKey, to writer: inout JSONWriter) {
    if timelines == [.home] { return }
    writer.member("timelines", list: timelines) { writer, timeline in writer.string(timeline.name.description) }
    let elsewhere = timelines.filter { $0.key != nil && $0.key != key }
    if elsewhere.isEmpty { return }
    writer.name("places")
    writer.object { writer in
      for timeline in elsewhere { writer.member(timeline.name.description, timeline.key?.text ?? key.text) }
    }
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
    if let post {
      return ArchiveLine.bytes(
        PostJSON.bytes(post), key: key, source: source, edits: edits, timelines: timelines)
    }
    return ArchiveLine.bytes(
      deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt, timelines: timelines)
  }
}
