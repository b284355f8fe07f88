internal import Commands
internal import Formats
internal import Storage
internal import Timeline

/// Formats archived posts for an export.
struct ExportWriter {
  private let format: Command.Export.Format
  private(set) var bytes: [UInt8] = []
  private var isFirst = true
  /// The numbers of rows that a table leaves out, because its fixed columns cannot show what they are.
  private(set) var leftOut = (events: 0, filtered: 0)

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
    case .csv: bytes += Array(cells(of: row).utf8)
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

  /// Returns the line of a table; nothing for a post that a filter hides, and for an event without a post.
  private mutating func cells(of row: ArchivedPost) -> String {
    guard let json = row.json, let post = try? PostJSON.read(json) else {
      return PostCSV.line(
        ofDeleted: row.mark.id, createdAt: row.createdAt, deletedAt: row.deletedAt)
    }
    if post.isEventOnly {
      leftOut.events += 1
    } else if post.isHidden {
      leftOut.filtered += 1
    } else {
      return PostCSV.line(of: post)
    }
    return ""
  }
}
