internal import Glibc

/// Numbers as a table shows them.
package enum Report {
  /// With so many digits behind the point.
  package static func number(_ value: Double, _ digits: Int = 1) -> String {
    let unit = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    let scaled = Int((value * unit).rounded())
    if digits == 0 { return String(scaled) }
    let fraction = String(abs(scaled) % Int(unit))
    return "\(scaled / Int(unit)).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }

  /// A line of a Markdown table.
  package static func row(_ cells: String...) {
    print("| \(cells.joined(separator: " | ")) |")
    // At once, also into a file.
    fflush(nil)
  }

  package static func head(_ cells: String...) {
    print("\n| \(cells.joined(separator: " | ")) |")
    print("|\(cells.map { _ in " --- |" }.joined())")
  }
}
