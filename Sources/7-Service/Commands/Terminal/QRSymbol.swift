internal import CQREncode
internal import TerminalText

/// A QR code (ISO/IEC 18004): a square of dark and light modules.
struct QRSymbol: Equatable {
  /// The number of rows, and of modules in each row.
  let width: Int
  /// The modules, row by row; true is dark.
  private let modules: [Bool]

  init(width: Int, modules: [Bool]) {
    precondition(modules.count == width * width, "a symbol is a square")
    self.width = width
    self.modules = modules
  }

  /// Creates the smallest QR code for a string. The lowest error correction level is enough for a screen.
  /// - Returns: nil if the text is empty or too long, or if libqrencode cannot be loaded.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, unsafe cqrencode_start() == nil else { return nil }
    let symbol = unsafe bytes.withUnsafeBufferPointer { unsafe cqrencode_encode($0.baseAddress, Int32($0.count)) }
    guard let symbol = unsafe symbol else { return nil }
    defer { unsafe cqrencode_free(symbol) }
    let width = unsafe Int(symbol.pointee.width)
    guard let data = unsafe symbol.pointee.data else { return nil }
    // The lowest bit is the colour; the other bits are the module's function.
    self.init(width: width, modules: (0..<width * width).map { unsafe data[$0] & 1 == 1 })
  }

  /// Returns whether a module is dark; modules outside the symbol are light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
    return modules[row * width + column]
  }
}

/// A QR code in a terminal: each character shows two modules, one above the other.
extension QRSymbol {
  /// The width of the light border that QR code readers need (ISO/IEC 18004 §9.1).
  private static let quietZone = 4

  /// The width in columns.
  var columns: Int { width + 2 * Self.quietZone }

  /// The lines of text. They are black on white even in a terminal with other colours, because QR code readers need dark modules on a light
  /// background.
  var lines: [RenderedText] {
    let range = -Self.quietZone..<width + Self.quietZone
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      var line = RenderedText()
      line.append(Self.blackOnWhite)
      line.append(range.map { block(isDark($0, row), isDark($0, row + 1)) }.joined())
      line.append(ControlSequence.rendition([]))
      return line
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

  /// Black and white from the 256-colour palette, which themes do not change.
  private static let blackOnWhite = ControlSequence.rendition([38, 5, 16, 48, 5, 231])
}
