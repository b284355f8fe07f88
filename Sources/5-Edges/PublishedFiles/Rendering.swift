internal import Formats
package import Platform
internal import Time
package import Timeline

/// The files in other formats to render from a published JSON file. Renderings of a folder must run one at a time and in order.
///
/// It contains no posts: they are read from the file when the rendering runs, so many renderings can wait.
package struct Rendering: Sendable {
  let folder: PublishedFolder
  /// The formats to write.
  package let formats: Set<PublishedFormat>
  let head: TimelineHead
  let overview: Publication.Overview
  let madeAt: Timestamp
  /// The JSON file as it was published, and the offset of its posts.
  let timeline: FileStatus
  let start: Int

  /// The result of a rendering.
  package struct Outcome: Sendable {
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

  /// Writes the files, and removes those of formats that are no longer published. Call on any queue.
  package func write() -> Outcome {
    var outcome = Outcome()
    if !formats.isEmpty {
      guard let file = try? File.read(folder.timeline, ifStill: timeline),
        let lines = PostLines(file: file, from: start)
      else {
        outcome.isOutdated = true
        outcome.unwritten = formats
        return outcome
      }
      outcome = folder.write(PublishedContent(head, lines, overview: overview, madeAt: madeAt), formats)
    }
    do throws(SystemError) { try folder.removeOthers() } catch { outcome.failure = outcome.failure ?? error }
    return outcome
  }
}
