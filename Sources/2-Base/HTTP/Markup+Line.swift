extension Markup.Interpolation {
  /// Appends text that is shown in a line of its own, escaped. White space becomes spaces; other control characters, and those that change
  /// the direction of the text around them, are left out.
  package mutating func appendInterpolation(line text: String) {
    // Most text is printable ASCII without special characters. Appending each scalar would take half of a callback's instructions.
    if text.allBytes({ $0 < 0x7f && MarkupEscape.isPlain($0) && $0 >= 0x20 }) { return appendPlain(text) }
    appendInterpolation(text.allBytes { (0x20..<0x7f).contains($0) } ? text : Self.line(of: text))
  }

  private static func line(of text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: line.append(" ")
      // C0, DEL and C1; embeddings, overrides and isolates (UAX #9 §2).
      case ..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: break
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
