internal import JSON
package import Time
package import Timeline

/// Everything stored about an archived post, for export and import.
package struct ImportedPost: Sendable, Hashable {
  /// An earlier version of the post, and the time when it was replaced.
  package struct Edit: Sendable, Hashable {
    package let until: Timestamp
    /// The id of the earlier version.
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
  /// The post; `nil` if it was deleted.
  package let post: Post?
  /// The post as the provider's JSON; empty if it is unknown.
  package let source: [UInt8]
  /// Earlier versions, oldest first.
  package let edits: [Edit]
  package let deletedAt: Timestamp?
  /// The timelines that contain the post; never empty.
  package let timelines: [PostTimeline]

  package init(
    _ post: Post, key: PostKey, source: [UInt8] = [], edits: [Edit] = [], timelines: [PostTimeline] = [.home]
  ) {
    self.timelines = timelines
    (id, createdAt, self.post, deletedAt) = (post.id, post.createdAt, post, nil)
    self.key = key
    self.source = source
    self.edits = edits
  }

  /// Creates an entry for a post deleted on the provider's server.
  package init(
    deleted id: PostID, key: PostKey, createdAt: Timestamp, deletedAt: Timestamp,
    timelines: [PostTimeline] = [.home]
  ) {
    self.timelines = timelines
    self.key = key
    self.id = id
    self.createdAt = createdAt
    self.deletedAt = deletedAt
    (post, source, edits) = (nil, [], [])
  }
}

/// A line of an export: the published object with `key`, `source` and `edits` or, for a deleted post, `id`, `created_at`, `deleted_at` and
/// `key`. If timelines other than home contain the post, `timelines` names all of them. `places` then has the post's keys in the timelines
/// where they differ from `key`, and `notifications` the events that are about the post. An event without a post is a line with
/// `notification`, and at its own `key`.
extension ImportedPost {
  /// Reads a line of an export or of a published `home_timeline.jsonl`. A published line has no `key`, so the position is derived from the
  /// decimal id.
  /// - Throws: `JSONError`, `PublishedFormatError` or `ImportedPostError`.
  package init(line: [UInt8]) throws {
    var cursor = JSONCursor(line)
    let members = try Members(&cursor)
    try cursor.end()
    let deletedAt = members.deletedAt
    let post = deletedAt == nil ? try PostJSON.read(line) : nil
    guard let id = post?.id ?? members.id else { throw ImportedPostError.missing("id") }
    guard let createdAt = post?.createdAt ?? members.createdAt else { throw ImportedPostError.missing("created_at") }
    if id.text.isEmpty || id.text.utf8.count > Self.longestKey { throw ImportedPostError.invalidID }
    let key = try members.key ?? Self.key(of: id)
    if let post {
      if post.isEventOnly, members.timelines.contains(.home) { throw ImportedPostError.noTimeline }
      let timelines =
        post.isEventOnly
        ? members.timelines.map { PostTimeline($0, notice: post.notice) } : members.placesByTimeline
      self.init(
        // A published line has the event that the timeline contained the post for.
        post.isEventOnly ? post : post.withoutNotice, key: key, source: members.source.map { Array(line[$0]) } ?? [],
        edits: members.edits,
        timelines: timelines)
    } else {
      self.init(
        deleted: id, key: key, createdAt: createdAt, deletedAt: deletedAt ?? createdAt,
        timelines: members.placesByTimeline)
    }
  }

  private static func key(of id: PostID) throws(ImportedPostError) -> PostKey {
    guard let key = PostKey(decimal: id) else { throw .noPosition }
    return key
  }

  /// The longest key in bytes. Providers' keys are far shorter.
  private static let longestKey = 200

  /// The members beyond the post's own.
  private struct Members {
    var id: PostID?
    var createdAt: Timestamp?
    var deletedAt: Timestamp?
    var key: PostKey?
    var source: Range<Int>?
    var edits: [Edit] = []
    var timelines: [TimelineName] = [.home]
    var places: [TimelineName: PostKey] = [:]
    var events: [PostTimeline] = []

    /// The timelines with the post's places in them.
    var placesByTimeline: [PostTimeline] {
      timelines.flatMap { name in
        let events = events.filter { $0.name == name }
        return events.isEmpty ? [PostTimeline(name, key: places[name])] : events
      }
    }

    init(_ cursor: inout JSONCursor) throws {
      try cursor.members { cursor, name in
        switch name {
        case "id": id = PostID(try cursor.string())
        case "created_at": createdAt = try Self.time(name, &cursor)
        case "deleted_at": deletedAt = try cursor.null() ? nil : Self.time(name, &cursor)
        case "key": key = try cursor.null() ? nil : Self.key(&cursor)
        case "source": source = try cursor.null() ? nil : cursor.skip()
        case "timelines":
          let names = try cursor.null() ? [] : cursor.list { try Self.timeline(try $0.string()) }
          if !names.isEmpty { timelines = names }
        case "places":
          if try cursor.null() { return }
          try cursor.members { cursor, name in places[try Self.timeline(name.text)] = try Self.key(&cursor) }
        case "notifications": events = try cursor.null() ? [] : cursor.list(Self.event)
        case "edits": edits = try cursor.null() ? [] : cursor.list(Self.edit)
        default: try cursor.skip()
        }
      }
    }

    /// Reads a timeline's name. A post of an unknown timeline is not imported into home.
    private static func timeline(_ text: String) throws(ImportedPostError) -> TimelineName {
      do throws(TimelineNameError) { return try TimelineName(text) } catch { throw .invalidTimeline(text) }
    }

    private static func key(_ cursor: inout JSONCursor) throws -> PostKey {
      let text = try cursor.string()
      guard (1...ImportedPost.longestKey).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
      else { throw ImportedPostError.invalidKey }
      return PostKey(text)
    }

    private static func event(_ cursor: inout JSONCursor) throws -> PostTimeline {
      var name: TimelineName?
      var key: PostKey?
      var notice: Notice?
      try cursor.members { cursor, member in
        switch member {
        case "timeline": name = try timeline(try cursor.string())
        case "key": key = try Self.key(&cursor)
        case "notification": notice = try PostJSON.readNotice(&cursor)
        default: try cursor.skip()
        }
      }
      guard let name, let key, let notice else {
        throw ImportedPostError.missing("timeline, key or notification of an event")
      }
      return PostTimeline(name, key: key, notice: notice)
    }

    private static func time(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Timestamp {
      guard let time = Timestamp(rfc3339: try cursor.string()) else {
        throw ImportedPostError.invalidTime(name.text)
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

/// An error in a line that is valid JSON but not a valid post.
enum ImportedPostError: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case invalidID
  case invalidKey
  case invalidTime(String)
  case invalidTimeline(String)
  /// The line is an event, and does not name the timeline that contains it.
  case noTimeline
  /// The line has neither a `key` nor a decimal id.
  case noPosition

  var description: String {
    switch self {
    case .missing(let name): "\(name) is missing"
    case .invalidID: "'id' should be a string of 1 to 200 bytes"
    case .invalidKey: "'key' should be a string of 1 to 200 ASCII characters without spaces"
    case .invalidTime(let name): "'\(name)' should be a time such as 2026-11-20T16:00:00Z"
    case .invalidTimeline(let name): "'\(name)' is not the name of a timeline that this version knows"
    case .noTimeline: "the timeline of the notification is unknown"
    case .noPosition: "the position of the post is unknown: it has no 'key', and its id is not a decimal number"
    }
  }
}
