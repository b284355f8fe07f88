/// A QR code in a terminal: two modules above each other in a character.
extension QRSymbol {
  /// Light modules around the symbol, without which readers do not find it (ISO/IEC 18004 §9.1).
  private static let quietZone = 4

  /// How many columns it takes.
  var columns: Int { width + 2 * Self.quietZone }

  /// Its lines. Both colours are set, black on white, so that it is the same on dark and on light terminals: readers want dark
  /// modules on a light ground.
  var lines: [String] {
    let range = -Self.quietZone..<width + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      Self.blackOnWhite + range.map { block(isDark($0, row), isDark($0, row + 1)) }.joined() + Self.asBefore
    }
  }

  private func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }

  /// By the palette of 256 colours, whose black and white no theme changes.
  private static let blackOnWhite = "\u{1b}[38;5;16;48;5;231m"
  private static let asBefore = "\u{1b}[0m"
}
