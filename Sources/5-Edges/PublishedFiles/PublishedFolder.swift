internal import Folders
internal import Formats
package import Platform
internal import Time
internal import Timeline
internal import Glibc

/// The files of a timeline or a view that other programs read: `STEM.json` and the other formats of the same posts.
struct PublishedFolder: Sendable {
  let files: TimelineFiles
  /// The formats published in addition to the JSON file.
  let formats: [PublishedFormat]
  /// The maximum number of posts in a feed.
  let feedPosts: Int
  /// The account or view that the pages belong to, as ``MediaStore`` identifies it.
  let owner: String
  /// The relative path from this folder to the cache folder, which contains the pictures.
  let pathToCache: String
  let media: MediaStore?

  var timeline: String { files.timeline }
  func file(_ format: PublishedFormat) -> String { files.published(as: format) }

  /// Returns the existing file if its content is current except for refresh times, and if it counts as fresh for long enough.
  /// - Returns: the file and the times in it.
  func upToDate(_ content: PublishedContent, until refreshDue: Timestamp?) -> (file: FileStatus, head: TimelineHead)? {
    guard let status = try? FileStatus.ofLink(timeline), status.isRegular, status.permissions == 0o600,
      status.size <= Self.sizeLimit,
      let bytes = try? File.read(timeline, ifStill: status), let known = try? TimelineFile.read(bytes, limit: 1)
    else { return nil }
    var head = content.head
    head.copyTimes(of: known.head)
    guard head.isCovered(by: head, until: refreshDue),
      Self.isEqual(bytes, to: TimelineFile.pieces(head: head, posts: content.lines))
    else { return nil }
    return (status, head)
  }

  /// When the existing JSON file stops being fresh; `nil` if the file does not exist or does not state a time.
  var freshUntil: Timestamp? {
    guard let bytes = try? TrustedFile.read(timeline, limit: Self.sizeLimit) else { return nil }
    return (try? TimelineFile.read(bytes, limit: 1))?.head.freshUntil
  }

  /// Returns whether a file consists of these pieces. memcmp(3) compares a file of several megabytes much faster than a loop over its
  /// bytes, especially in a debug build.
  private static func isEqual(_ bytes: [UInt8], to pieces: [[UInt8]]) -> Bool {
    guard bytes.count == pieces.reduce(0, { $0 + $1.count }) else { return false }
    return unsafe bytes.withUnsafeBytes { whole in
      var place = 0
      return pieces.allSatisfy { piece in
        defer { place += piece.count }
        return unsafe piece.withUnsafeBytes {
          unsafe $0.isEmpty || memcmp($0.baseAddress!, whole.baseAddress! + place, $0.count) == 0
        }
      }
    }
  }

  /// The size limit of a published file, far larger than a file with the maximum number of posts.
  static let sizeLimit = 256 << 20

  /// Replaces the JSON file, creating the folder if it does not exist.
  /// - Returns: the state of the file.
  func writeTimeline(_ content: PublishedContent) throws(SystemError) -> FileStatus {
    try Folder.create(files.folder)
    return try AtomicFile.write(
      pieces: TimelineFile.pieces(head: content.head, posts: content.lines), to: timeline, .replaced)
  }

  /// Replaces the files of these formats one by one. A file with unchanged content is not written. If a file cannot be written, the others
  /// are still written.
  func write(_ content: PublishedContent, _ due: Set<PublishedFormat>) -> RenderingOutcome {
    var outcome = RenderingOutcome()
    for format in formats where due.contains(format) {
      do throws(SystemError) {
        if format.form.isPage {
          outcome.pictures = try writePage(format, content)
        } else {
          try replace(file(format), by: bytes(of: format, content))
        }
        outcome.files[format] = try? FileStatus.of(file(format))
      } catch {
        outcome.failure = outcome.failure ?? error
        outcome.unwritten.insert(format)
      }
    }
    return outcome
  }

  /// Removes the files of formats that are no longer published.
  func removeOthers() throws(SystemError) {
    for format in PublishedFormat.allCases where !formats.contains(format) && File.exists(file(format)) {
      if format.form.isPage { media?.forget(owner: owner) }
      try File.remove(file(format))
    }
  }

  private func bytes(of format: PublishedFormat, _ content: PublishedContent) -> [UInt8] {
    switch format.form.content {
    case .lines(let render): render(content.lines)
    case .posts(let extent, _): format.bytes(of: content.publication(newest: count(extent)))
    }
  }

  private func count(_ extent: PublishedForm.Extent) -> Int {
    switch extent {
    case .all: .max
    case .feed: feedPosts
    case .atMost(let count): count
    }
  }

  /// Writes the page and records its pictures in one step, so that no picture is removed in between.
  /// - Returns: the pictures that the page shows.
  private func writePage(_ format: PublishedFormat, _ content: PublishedContent) throws(SystemError) -> [String] {
    guard case .posts(let extent, _) = format.form.content else { return [] }
    var page = content.publication(newest: count(extent))
    let pictures = page.pictureURLs
    guard let media else {
      try replace(file(format), by: format.bytes(of: page))
      return pictures
    }
    try media.name(pictures, by: owner) { paths throws(SystemError) in
      page.pictures = paths.mapValues { pathToCache + $0 }
      try replace(file(format), by: format.bytes(of: page))
    }
    return pictures
  }

  /// Replaces a file unless its content is the same: feed readers check the modification time to decide whether to read it.
  private func replace(_ file: String, by content: [UInt8]) throws(SystemError) {
    if let status = try? FileStatus.of(file), status.size == content.count,
      let there = try? TrustedFile.read(file, limit: content.count), Self.isEqual(there, to: [content])
    {
      return
    }
    try AtomicFile.write(content, to: file, .replaced)
  }
}

/// The result of a rendering.
package struct RenderingOutcome: Sendable {
  /// The pictures on the page, newest first; `nil` if the page was not rendered.
  package var pictures: [String]?
  /// The first failure. The other formats were written.
  package var failure: SystemError?
  /// Whether nothing was written, because the JSON file has been replaced or removed.
  package var isOutdated = false
  /// The state of the files after writing.
  var files: [PublishedFormat: FileStatus] = [:]
  /// The formats that could not be written.
  var unwritten: Set<PublishedFormat> = []
}
