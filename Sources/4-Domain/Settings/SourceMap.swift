/// A configuration's files as one range of offsets: an offset identifies a file and a position in it.
struct SourceMap {
  private struct Source {
    let text: ConfigurationText
    /// The offset of the file's first byte. The ranges of two files do not touch, so that the end of one file is not the beginning of the
    /// next.
    let start: Int
  }

  private var sources: [Source] = []

  /// Adds a file after the others.
  /// - Returns: the offset of its first byte.
  mutating func add(_ text: ConfigurationText) -> Int {
    let start = sources.last.map { $0.start + $0.text.bytes.count + 1 } ?? 0
    sources.append(Source(text: text, start: start))
    return start
  }

  /// Returns the file that contains an offset, and the offset of its first byte; `nil` if there are no files.
  func source(at offset: Int) -> (text: ConfigurationText, start: Int)? {
    sources.last { $0.start <= offset }.map { ($0.text, $0.start) }
  }
}
