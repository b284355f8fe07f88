internal import Formats
internal import Platform
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

  /// Writes the files, and removes those of formats that are no longer published. Call on any queue.
  package func write() -> RenderingOutcome {
    var outcome = RenderingOutcome()
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
