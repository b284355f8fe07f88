internal import JSON

/// Collects what is wrong with a configuration while it is being read, so that the user hears of everything at once.
struct Problems {
  private let cursor: JSONCursor
  private var found: [(offset: Int, problem: SettingsProblem)] = []

  init(in bytes: [UInt8]) { cursor = JSONCursor(bytes) }

  mutating func add(_ what: String, at offset: Int, path: String) {
    let place = cursor.place(of: offset)
    found.append((offset, SettingsProblem(place: place, path: path, what: what)))
  }

  /// A problem whose place is known by line and column: the text ends there.
  mutating func add(_ error: JSONError) {
    found.append((.max, SettingsProblem(place: error.place, path: "", what: error.reason)))
  }

  func place(of offset: Int) -> JSONPlace { cursor.place(of: offset) }

  var isEmpty: Bool { found.isEmpty }

  /// In the order of the text.
  var sorted: [SettingsProblem] {
    // Of two at the same place, the one found first.
    found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.problem)
  }
}
