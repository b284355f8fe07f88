internal import Glibc

/// Formats numbers and tables.
package enum Report {
  /// Formats a number with the given number of decimal places.
  package static func number(_ value: Double, _ digits: Int = 1) -> String {
    let unit = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let scaled = Int((value * unit).rounded())
    if digits == 0 { return String(scaled) }
    let fraction = String(abs(scaled) % Int(unit))
    return "\(scaled / Int(unit)).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }

  /// Prints a line of a Markdown table.
  package static func row(_ cells: String...) {
    print("| \(cells.joined(separator: " | ")) |")
    // Flushing makes the line appear at once if standard output is a file.
    fflush(nil)
  }

  package static func head(_ cells: String...) {
    print("\n| \(cells.joined(separator: " | ")) |")
    print("|\(cells.map { _ in " --- |" }.joined())")
  }
}
