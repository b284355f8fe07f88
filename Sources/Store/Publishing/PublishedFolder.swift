internal import Glibc
package import Platform
internal import Publish
internal import Timeline

/// A folder that other programs read: `home_timeline.json`, and beside it what else is wished of the same posts.
struct PublishedFolder {
  let path: String
  let formats: [PublishedFormat]
  /// Whose pages name pictures, as ``MediaStore`` knows it.
  let owner: String
  /// How far it is from this folder to the cache folder, in which pictures lie.
  let wayToCache: String
  let media: MediaStore?

  /// What was written.
  struct Written {
    /// The pictures that the page shows, newest first; none where there is no page.
    var pictures: [String] = []
    /// The files that have an entry for each post, as they are now.
    var files: [PublishedFormat: FileFacts] = [:]
    /// `home_timeline.json`.
    var timeline: FileFacts?
  }

  /// Replaces the files one after the other, `home_timeline.json` last: whoever watches that one finds the others at least as new.
  /// What has not changed is not written. What is not wished any more is removed.
  ///
  /// A file that cannot be written keeps none of the others from it.
  /// - Parameters:
  ///   - timeline: the pieces of `home_timeline.json`.
  ///   - content: what the other files are made of.
  ///   - former: what is known of the files as they stand there.
  /// - Throws: the first failure.
  func write(_ timeline: [[UInt8]], _ content: PublishedContent, since former: FormerFiles?) throws(SystemError)
    -> Written
  {
    var failure: SystemError?
    var written = Written()
    try Folder.create(path)
    for format in PublishedFormat.allCases {
      do throws(SystemError) {
        if formats.contains(format) {
          switch format {
          case .html:
            written.pictures = content.publication.pictureURLs
            try writePage(content.publication, showing: written.pictures)
          case .bar: try replace(file(format), by: content.publication.bytes(as: format))
          case .jsonLines, .atom, .jsonFeed, .text:
            written.files[format] = try writeEntries(format, content, since: former)
          }
        } else if File.exists(file(format)) {
          if format == .html { media?.forget(owner: owner) }
          try File.remove(file(format))
        }
      } catch { failure = failure ?? error }
    }
    do throws(SystemError) {
      written.timeline = try AtomicFile.write(pieces: timeline, to: "\(path)/\(AccountFiles.timelineName)", .replaced)
    } catch { failure = failure ?? error }
    if let failure { throw failure }
    return written
  }

  private func file(_ format: PublishedFormat) -> String { "\(path)/\(format.fileName)" }

  /// A file with an entry for each post: where it is known what stands there, entries that stay are taken from it.
  /// - Returns: the file as it is now; `nil` where it has not an entry for each.
  private func writeEntries(
    _ format: PublishedFormat, _ content: PublishedContent, since former: FormerFiles?
  ) throws(SystemError) -> FileFacts? {
    let file = file(format)
    if let former, let facts = former.files[format] {
      if former.areSame, (try? FileFacts.of(file)) == facts { return facts }
      if format != .jsonLines, let before = try File.read(file, ifStill: facts),
        let bytes = content.bytes(as: format, behind: before, of: former)
      {
        return bytes == before ? facts : try AtomicFile.write(pieces: [bytes], to: file, .replaced)
      }
    }
    guard let bytes = content.bytes(as: format) else {
      try replace(file, by: content.readable.bytes(as: format))
      return nil
    }
    try replace(file, by: bytes)
    return try? FileFacts.of(file)
  }

  /// In one step with the naming of its pictures, so that none goes in between.
  private func writePage(_ publication: Publication, showing pictures: [String]) throws(SystemError) {
    var page = publication
    page.posts = Array(page.posts.prefix(Publication.postsOfPage))
    guard let media else { return try replace(file(.html), by: page.bytes(as: .html)) }
    try media.name(pictures, by: owner) { paths throws(SystemError) in
      page.pictures = paths.mapValues { wayToCache + $0 }
      try replace(file(.html), by: page.bytes(as: .html))
    }
  }

  /// A file that is as it would be keeps its time, by which feed readers tell whether to read it.
  private func replace(_ file: String, by content: [UInt8]) throws(SystemError) {
    if let facts = try? FileFacts.of(file), facts.size == content.count,
      let there = try? OwnFile.read(file, limit: content.count), there == content
    {
      return
    }
    try AtomicFile.write(content, to: file, .replaced)
  }
}

/// The mark beside an account's database that what is published of it is whole: as the database has it, and on this start of the machine.
///
/// Published files are renamed into place without being synced, so that a power cut can leave one empty or torn, and a kill one that is behind the
/// database. The mark names the machine's start (`/proc/sys/kernel/random/boot_id`, random(4)): it is made at a clean end, needs no sync
/// itself, and is gone while somebody works.
package struct PublishedMark: Sendable {
  private let path: String
  private let start: String

  /// - Parameter machineStart: what tells one start of the machine from another.
  package init(_ files: AccountFiles, machineStart: String = PublishedMark.machineStart) {
    path = files.publishedMark
    start = machineStart
  }

  /// Takes the mark away.
  /// - Returns: whether it was there, made since the machine was started.
  package func take() -> Bool {
    guard let text = try? File.read(path, limit: 100) else { return false }
    // Before anything is published: from now on a kill would be noticed.
    do throws(SystemError) { try File.remove(path) } catch { return false }
    return !start.isEmpty && String(decoding: text, as: UTF8.self) == start
  }

  /// Leaves the mark. That it cannot be left costs a publication at the next start.
  package func leave() {
    guard !start.isEmpty, let folder = Folder.parent(of: path), File.exists(folder) else { return }
    try? AtomicFile.write(Array(start.utf8), to: path, .replaced)
  }

  /// Empty where the kernel does not tell.
  package static let machineStart: String = {
    guard let text = try? File.read("/proc/sys/kernel/random/boot_id", limit: 100) else { return "" }
    return String(decoding: text.prefix { $0 != 0x0a }, as: UTF8.self)
  }()
}

/// Why the published file could not be replaced. The old one stands as it was.
package enum PublishError: Error, CustomStringConvertible {
  /// The database could not be read.
  case database(SQLiteError)
  /// The cache folder or the file could not be written.
  case file(SystemError)

  package var description: String {
    switch self {
    case .database(let error): error.description
    case .file(let error): error.description
    }
  }
}
