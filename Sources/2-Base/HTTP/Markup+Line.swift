extension Markup {
  /// Creates markup for text that is shown in a line of its own. White space becomes spaces; other control characters, and those that change
  /// the direction of the text around them, are left out.
  package init(line text: String) {
    // Most text is printable ASCII. Appending each scalar would take half of a callback's instructions.
    self.init(escaping: text.allBytes { (0x20..<0x7f).contains($0) } ? text : Self.line(of: text))
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
