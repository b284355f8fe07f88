/// Makes texts from outside fit to be shown in a message on a terminal.
package enum Shown {
  /// The text without control characters, which a terminal would obey, and cut after 64 characters.
  package static func plain(_ text: String) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == 64 { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// The same in quotation marks.
  package static func quoted(_ text: String) -> String { "\"\(plain(text))\"" }

  /// `; did you mean NAME?` when one of the candidates is near, else nothing.
  package static func suggestion(for name: String, among candidates: [String]) -> String {
    NearestName.of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }
}
