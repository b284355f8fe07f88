/// Reads how long something is good for.
enum Lifetime {
  /// Ten years: what is longer is as good as for ever, and no sum with it overflows.
  static let limit: Int64 = 10 * 365 * 86_400

  /// The seconds that a number stands for, 0 for a negative one, at most ten years; nil when it is no number.
  ///
  /// Some servers write it as a string or with a fraction, and Akkoma counts it down.
  static func seconds(_ text: String) -> Int64? {
    let isNumber = text.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
    guard isNumber, let number = Double(text), !number.isNaN else { return nil }
    return Int64(min(max(number, 0), Double(limit)))
  }
}
