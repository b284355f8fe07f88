internal import Commands
internal import Formats
internal import Storage
internal import Timeline

/// Formats archived posts for an export.
struct ExportWriter {
  private let format: Command.Export.Format
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  init(_ format: Command.Export.Format) {
    self.format = format
    switch format {
    case .jsonl: break
    case .json: bytes.append(UInt8(ascii: "["))
    case .csv: bytes += Array(PostCSV.header.utf8)
    }
  }

  mutating func append(_ row: ArchivedPost) {
    switch format {
    case .jsonl: bytes += row.line + [UInt8(ascii: "\n")]
    case .json: bytes += (isFirst ? "\n" : ",\n").utf8 + row.line
    case .csv: bytes += Array(Self.cells(of: row).utf8)
    }
    isFirst = false
  }

  mutating func finish() {
    if format == .json { bytes += Array((isFirst ? "]\n" : "\n]\n").utf8) }
  }

  /// Returns the bytes added since the last call.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Returns the line of a table. A post that a filter hides and an event without a post have no line, because the fixed columns cannot show
  /// what they are.
  private static func cells(of row: ArchivedPost) -> String {
    guard let json = row.json, let post = try? PostJSON.read(json) else {
      return PostCSV.line(
        ofDeleted: row.mark.id, createdAt: row.createdAt, deletedAt: row.deletedAt)
    }
    return post.isHidden || post.isEventOnly ? "" : PostCSV.line(of: post)
  }
}
