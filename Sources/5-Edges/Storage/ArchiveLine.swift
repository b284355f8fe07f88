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

  /// Writes the names of the timelines, unless home alone contains the post, and the events that are about the post.
  private static func write(_ timelines: [PostTimeline], key: PostKey, to writer: inout JSONWriter) {
    if timelines == [.home] { return }
    var names: [TimelineName] = []
    for timeline in timelines where names.last != timeline.name { names.append(timeline.name) }
    writer.member("timelines", list: names) { writer, name in writer.string(name.description) }
    let elsewhere = timelines.filter { $0.notice == nil && $0.key != nil && $0.key != key }
    if !elsewhere.isEmpty {
      writer.name("places")
      writer.object { writer in
        for timeline in elsewhere { writer.member(timeline.name.description, timeline.key?.text ?? key.text) }
      }
    }
    let events = timelines.filter { $0.notice != nil }
    if events.isEmpty { return }
    writer.member("notifications", list: events) { writer, event in
      writer.object { writer in
        writer.member("timeline", event.name.description)
        writer.member("key", event.key?.text ?? key.text)
        if let notice = event.notice {
          writer.name("notification")
          writer.raw(PostJSON.bytes(of: notice))
        }
      }
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
      // The line of an event without a post is the event.
      let timelines = post.isEventOnly ? timelines.map { PostTimeline($0.name) } : timelines
      return ArchiveLine.bytes(
        PostJSON.bytes(post), key: key, source: source, edits: edits, timelines: timelines)
    }
    return ArchiveLine.bytes(
      deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt, timelines: timelines)
  }
}
