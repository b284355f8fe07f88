/// Checks the addresses that a post may show: they must use `http` or `https` and contain no control characters.
enum WebAddress {
  static func isOne(_ text: String) -> Bool {
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate: false
      default: true
      }
    }
  }

  /// Returns the address, if it is valid.
  static func checked(_ text: String?) -> String? { text.flatMap { isOne($0) ? $0 : nil } }
}
