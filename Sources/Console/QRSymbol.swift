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
