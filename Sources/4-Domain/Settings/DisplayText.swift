/// Makes external text safe to show in a message on a terminal.
package enum DisplayText {
  /// Returns the text, truncated after 64 characters, without the control characters that could manipulate the terminal.
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

  /// Returns the text in this form, in quotation marks.
  package static func quoted(_ text: String) -> String { "\"\(plain(text))\"" }

  /// Returns `; did you mean NAME?` if one of the candidates is similar, and otherwise an empty string.
  package static func suggestion(for name: String, among candidates: [String]) -> String {
    NearestName.of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }
}
