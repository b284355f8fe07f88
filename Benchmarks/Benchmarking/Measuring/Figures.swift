/// The results of a benchmark as one line of JSON, for programs that compare them.
package struct Figures {
  private var members: [(String, String)] = []

  package init() {}

  package mutating func add(_ name: String, _ count: Int) { members.append((name, String(count))) }

  /// - Parameter digits: the number of decimal places.
  package mutating func add(_ name: String, _ value: Double, digits: Int = 1) {
    members.append((name, Report.number(value, digits)))
  }

  /// - Parameter word: a text of only letters, digits and dashes.
  package mutating func add(_ name: String, _ word: String) { members.append((name, "\"\(word)\"")) }

  package func print() {
    Swift.print("{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}")
  }
}
