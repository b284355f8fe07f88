import TerminalText
import TestSupport
import Testing

@testable import Commands

@Suite("A QR code in a terminal") struct QRSymbolTests {
  private let address = "https://server.example/device?user_code=WDJB-MJHT"

  private func lines(of symbol: QRSymbol) -> [String] { symbol.lines.map { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Converts the printed lines back to rows of modules, including the quiet zone. True means dark.
  private func modules(_ lines: [String]) -> [[Bool]] {
    lines.flatMap { line in
      let text = line.drop { $0 != "m" }.dropFirst().prefix { $0 != "\u{1b}" }
      return [text.map { "█▀".contains($0) }, text.map { "█▄".contains($0) }]
    }
  }

  @Test("A QR symbol has a finder pattern, surrounded by light modules, in three corners")
  func pattern() throws {
    let symbol = try #require(QRSymbol(address))
    let rows = modules(lines(of: symbol))
    #expect(rows.allSatisfy { $0.count == symbol.columns } && symbol.columns == symbol.width + 8)
    for (left, top) in [(0, 0), (symbol.width - 7, 0), (0, symbol.width - 7)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = max(abs(row - 3), abs(column - 3))
          #expect(rows[4 + top + row][4 + left + column] == (ring != 2), "ring \(ring)")
        }
      }
    }
    let inside = 4..<4 + symbol.width
    for (row, line) in rows.enumerated() {
      for (column, isDark) in line.enumerated() where !inside.contains(row) || !inside.contains(column) {
        #expect(!isDark)
      }
    }
  }

  @Test("The terminal shows a QR symbol's modules in explicit colours")
  func colours() throws {
    let symbol = try #require(QRSymbol(address))
    let rows = modules(lines(of: symbol))
    for row in 0..<symbol.width {
      for column in 0..<symbol.width { #expect(rows[row + 4][column + 4] == symbol.isDark(column, row)) }
    }
    #expect(lines(of: symbol).allSatisfy { $0.hasPrefix("\u{1b}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1b}[0m") })
  }

  @Test("Different text produces different QR symbols, and empty or oversized text produces none")
  func texts() {
    #expect(QRSymbol(address) != QRSymbol(address + "X"))
    #expect(QRSymbol(address) == QRSymbol(address))
    #expect(QRSymbol("") == nil)
    #expect(QRSymbol(String(repeating: "x", count: 2953)) != nil)
    #expect(QRSymbol(String(repeating: "x", count: 2954)) == nil)
  }
}
