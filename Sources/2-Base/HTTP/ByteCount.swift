/// Formats byte counts in binary units.
package enum ByteCount {
  /// Returns a byte count as text, such as `512 B`, `1.5 KiB` or `2.0 GiB`.
  package static func text(_ count: Int) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var (value, unit) = (Double(count), 0)
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let tenths = Int(value * 10)
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
