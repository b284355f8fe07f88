/// Addresses that posts may show: `http` and `https` only, without anything in them that a terminal or a page takes otherwise.
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

  /// The address, when it is one.
  static func checked(_ text: String?) -> String? { text.flatMap { isOne($0) ? $0 : nil } }
}
