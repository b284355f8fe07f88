internal import CQREncode

/// A QR code (ISO/IEC 18004) as its modules, dark ones and light ones.
struct QRSymbol: Equatable {
  /// Modules in a row, and rows.
  let width: Int
  /// Row by row; true is dark.
  private let modules: [Bool]

  init(width: Int, modules: [Bool]) {
    precondition(modules.count == width * width, "a symbol is a square")
    self.width = width
    self.modules = modules
  }

  /// The smallest symbol for a text, with the least error correction: a screen has no scratches.
  /// - Returns: nil for a text that fits into none, or an empty one.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return nil }
    // The corresponding C function is `QRcode_encodeData`; it answers NULL for what is too long (qrencode.h).
    let symbol = unsafe bytes.withUnsafeBufferPointer {
      unsafe QRcode_encodeData(Int32($0.count), $0.baseAddress, 0, QR_ECLEVEL_L)
    }
    guard let symbol = unsafe symbol else { return nil }
    defer { unsafe QRcode_free(symbol) }
    let width = unsafe Int(symbol.pointee.width)
    guard let data = unsafe symbol.pointee.data else { return nil }
    // The lowest bit is the colour; the others say what the module is for.
    self.init(width: width, modules: (0..<width * width).map { unsafe data[$0] & 1 == 1 })
  }

  /// Whether a module is dark; those outside of the symbol are light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
    return modules[row * width + column]
  }
}

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
