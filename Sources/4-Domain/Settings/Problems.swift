internal import JSON

/// Collects the problems of a configuration while it is read, so that all are reported together.
struct Problems {
  private var sources = SourceMap()
  private var found: [(offset: Int, problem: SettingsProblem)] = []

  /// Adds a file after the others.
  /// - Returns: the offset of its first byte.
  mutating func add(source text: ConfigurationText) -> Int { sources.add(text) }

  mutating func add(_ what: String, at offset: Int, path: String) {
    let place = place(of: offset)
    found.append((offset, SettingsProblem(file: place.file, position: place.position, path: path, what: what)))
  }

  /// Adds a problem whose line and column are known, where reading stops.
  /// - Parameter start: the offset of the first byte of the file.
  mutating func add(_ error: JSONError, inFileAt start: Int) {
    let problem = SettingsProblem(
      file: sources.source(at: start)?.text.path, position: error.position, path: "", what: error.reason)
    found.append((start, problem))
  }

  /// Returns an offset's line and column, and its file unless the other offset is in the same file.
  func position(of offset: Int, seenFrom other: Int) -> String {
    let (place, otherPlace) = (place(of: offset), place(of: other))
    guard let file = place.file, file != otherPlace.file else { return "\(place.position)" }
    return "\(file):\(place.position.line):\(place.position.column)"
  }

  private func place(of offset: Int) -> (file: String?, position: JSONPosition) {
    guard let (text, start) = sources.source(at: offset) else { return (nil, JSONCursor([]).position(of: 0)) }
    return (text.path, JSONCursor(text.bytes).position(of: offset - start))
  }

  var isEmpty: Bool { found.isEmpty }

  /// The problems in the order of their positions in the files.
  var sorted: [SettingsProblem] {
    // Problems at the same position keep the order they were found in.
    found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.problem)
  }
}
