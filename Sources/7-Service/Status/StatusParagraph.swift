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

  /// The paragraph as lines for a terminal, with the values in a column.
  var text: String {
    title + "\n" + (note.map { "  \($0)\n" } ?? "") + rows.map { "  \(Self.padded($0.name))  \($0.value)\n" }.joined()
  }

  private static func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 12 - text.count)) }
}
