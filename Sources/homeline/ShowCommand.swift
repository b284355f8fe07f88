internal import CivilTime
internal import Commands
internal import Platform
internal import Publish
internal import Timeline

/// `homeline show`: the newest posts of a published file, old ones with a word that they are old.
struct ShowCommand {
  let arguments: Command.Show
  let path: String
  let now: Timestamp
  let isColoured: Bool

  /// About the file of 10,000 long posts.
  private static let sizeLimit = 256 << 20

  func answer() throws(CommandFailure) -> Answer {
    let file = try read()
    var notes: [String] = []
    if file.head.isStale(at: now) { notes.append(staleness(of: file.head)) }
    if file.posts.isEmpty { notes.append("\(file.head.account): no posts") }
    return Answer(bytes: bytes(of: file), notes: notes)
  }

  private func read() throws(CommandFailure) -> TimelineFile {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try File.read(path, limit: Self.sizeLimit) } catch {
      throw CommandFailure(.inputOutput, "\(error)")
    }
    do throws(PublishedFormatError) { return try TimelineFile.read(bytes) } catch {
      throw CommandFailure(.badData, "\(path): \(error)")
    }
  }

  private func bytes(of file: TimelineFile) -> [UInt8] {
    let fragments = file.fragments.prefix(arguments.limit)
    switch arguments.format {
    case .text: return Array(text(of: file).utf8)
    case .json:
      return Array("[".utf8) + fragments.map { Array("\n".utf8) + $0 }.joined(separator: Array(",".utf8))
        + Array("\n]\n".utf8)
    case .jsonl: return fragments.flatMap { $0 + Array("\n".utf8) }
    }
  }

  /// Posts with an empty line between them, and a line of its own where others may be missing.
  private func text(of file: TimelineFile) -> String {
    let plain = PlainText(at: now, isColoured: isColoured)
    let gaps = Set(file.head.gaps.map(\.before))
    return file.posts.prefix(arguments.limit).map { post in
      plain.text(of: post) + (gaps.contains(post.id) ? "\n· · ·  posts may be missing here\n" : "")
    }.joined(separator: "\n")
  }

  private func staleness(of head: TimelineHead) -> String {
    let last = head.refreshedAt.map { "last refreshed at \($0.rfc3339)" } ?? "never refreshed"
    let reason = head.problem.map { SafeText.line(of: $0.message) } ?? "is the service running?"
    return "\(head.account): these posts are old, \(last): \(reason)"
  }
}
