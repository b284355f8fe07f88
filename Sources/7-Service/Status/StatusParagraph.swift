/// Everything known about one account, as a title and named values.
package struct StatusParagraph: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package let title: String
  /// What takes the place of the values; `nil` if there are values.
  package let note: String?
  package private(set) var rows: [Row] = []

  init(_ title: String, note: String? = nil) {
    self.title = title
    self.note = note
  }

  mutating func add(_ name: String, _ value: String) { rows.append(Row(name: name, value: value)) }

  /// The paragraph as lines for a terminal, with the values in a column. A name that is too long for its column moves only its own value.
  var text: String {
    let width = max(12, rows.map(\.name.count).filter { $0 <= Self.widestName }.max() ?? 0)
    let lines = rows.map { row in
      "  \(row.name)\(String(repeating: " ", count: max(0, width - row.name.count)))  \(row.value)\n"
    }
    return title + "\n" + (note.map { "  \($0)\n" } ?? "") + lines.joined()
  }

  private static let widestName = 20
}
