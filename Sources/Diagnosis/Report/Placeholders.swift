/// Replaces values with numbered placeholders such as `<host 1>`. The same value always gets the same placeholder.
struct Placeholders {
  enum Kind: String {
    case name, host, path, address, hidden
  }

  private var numbers: [Kind: [String: Int]] = [:]

  /// - Parameter value: Compared byte by byte; pass hosts in lower case.
  mutating func placeholder(_ kind: Kind, for value: String) -> String {
    let number = numbers[kind]?[value] ?? (numbers[kind]?.count ?? 0) + 1
    numbers[kind, default: [:]][value] = number
    return "<\(kind.rawValue) \(number)>"
  }
}
