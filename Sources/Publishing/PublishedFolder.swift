internal import CivilTime
internal import Files
internal import Glibc
internal import Media
package import Platform
internal import Publish
package import Storage
internal import Timeline

/// A folder that other programs read: `home_timeline.json`, and beside it the other formats of the same posts.
struct PublishedFolder {
  let path: String
  /// What is published besides `home_timeline.json`.
  let formats: [PublishedFormat]
  /// How many posts a feed holds at most.
  let feedPosts: Int
  /// Whose pages name pictures, as ``MediaStore`` knows it.
  let owner: String
  /// How far it is from this folder to the cache folder, in which pictures are.
  let wayToCache: String
  package let media: MediaStore?

  /// What was written.
  struct Written {
    /// The pictures that the page shows, newest first; `nil` where the page was not looked at.
    package var pictures: [String]?
    /// The files of the formats as they are now.
    var files: [PublishedFormat: FileStatus] = [:]
    /// `home_timeline.json` as it is now.
    var timeline: FileStatus?
  }

  var timeline: String { "\(path)/\(AccountFiles.timelineName)" }
  func file(_ format: PublishedFormat) -> String { "\(path)/\(format.fileName)" }

  /// The file that is there, if it holds the content but for the times of refreshes, and promises freshness for long enough.
  /// - Returns: also the times that it has.
  func standing(_ content: PublishedContent, until refreshDue: Timestamp?) -> (file: FileStatus, head: TimelineHead)? {
    guard let facts = try? FileStatus.ofLink(timeline), facts.isRegular, facts.permissions == 0o600,
      facts.size <= Self.sizeLimit,
      let bytes = try? File.read(timeline, ifStill: facts), let known = try? TimelineFile.read(bytes, limit: 1)
    else { return nil }
    var head = content.head
    head.takeTimes(of: known.head)
    guard head.isCovered(by: head, until: refreshDue),
      bytes.elementsEqual(TimelineFile.pieces(head: head, posts: content.lines).joined())
    else { return nil }
    return (facts, head)
  }

  /// Far beyond the most posts that can be kept.
  static let sizeLimit = 256 << 20

  /// Replaces files one after the other, `home_timeline.json` last: a program that watches that one finds what was written with it. A
  /// file that has its bytes already is not written.
  ///
  /// A file that cannot be written keeps none of the others from it.
  /// - Parameters:
  ///   - due: the formats to be written.
  ///   - withTimeline: whether `home_timeline.json` is to be replaced.
  /// - Throws: the first failure.
  package func write(
    _ content: PublishedContent, _ due: Set<PublishedFormat>, withTimeline: Bool
  ) throws(SystemError) -> Written {
    var failure: SystemError?
    var written = Written()
    try Folder.create(path)
    for format in formats where due.contains(format) {
      do throws(SystemError) {
        if format.form.isPage {
          written.pictures = try writePage(format, content)
        } else {
          try replace(file(format), by: bytes(of: format, content))
        }
        written.files[format] = try? FileStatus.of(file(format))
      } catch { failure = failure ?? error }
    }
    if withTimeline {
      do throws(SystemError) {
        let pieces = TimelineFile.pieces(head: content.head, posts: content.lines)
        written.timeline = try AtomicFile.write(pieces: pieces, to: timeline, .replaced)
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return written
  }

  /// Removes the files of formats that are not published any more.
  func removeOthers() throws(SystemError) {
    for format in PublishedFormat.allCases where !formats.contains(format) && File.exists(file(format)) {
      if format.form.isPage { media?.forget(owner: owner) }
      try File.remove(file(format))
    }
  }

  private func bytes(of format: PublishedFormat, _ content: PublishedContent) -> [UInt8] {
    switch format.form.content {
    case .lines(let render): render(content.lines)
    case .posts(let extent, let render): render(content.publication(newest: count(extent)))
    }
  }

  private func count(_ extent: PublishedForm.Extent) -> Int {
    switch extent {
    case .all: .max
    case .feed: feedPosts
    case .atMost(let count): count
    }
  }

  /// In one step with the naming of its pictures, so that none is removed in between.
  /// - Returns: the pictures that it shows.
  private func writePage(_ format: PublishedFormat, _ content: PublishedContent) throws(SystemError) -> [String] {
    guard case .posts(let extent, let render) = format.form.content else { return [] }
    var page = content.publication(newest: count(extent))
    let pictures = page.pictureURLs
    guard let media else {
      try replace(file(format), by: render(page))
      return pictures
    }
    try media.name(pictures, by: owner) { paths throws(SystemError) in
      page.pictures = paths.mapValues { wayToCache + $0 }
      try replace(file(format), by: render(page))
    }
    return pictures
  }

  /// A file that has these bytes keeps its time, by which feed readers tell whether to read it.
  private func replace(_ file: String, by content: [UInt8]) throws(SystemError) {
    if let facts = try? FileStatus.of(file), facts.size == content.count,
      let there = try? TrustedFile.read(file, limit: content.count), there == content
    {
      return
    }
    try AtomicFile.write(content, to: file, .replaced)
  }
}

/// Why a published file could not be replaced. The old one is as it was.
package enum PublishError: Error, CustomStringConvertible {
  /// The database could not be read.
  case database(StorageError)
  /// The cache folder or the file could not be written.
  case file(SystemError)

  package var description: String {
    switch self {
    case .database(let error): error.description
    case .file(let error): error.description
    }
  }
}
