/// A program and its arguments, as a list in the configuration.
enum ProgramWords {
  /// - Returns: never an empty list; nil without the key, and for what is no program, which is noted.
  static func list(
    _ key: String, in values: KeyedValues, orNull: Bool = false, atMost limit: Int = .max, _ problems: inout Problems
  ) -> [String]? {
    let expected = "a program and its arguments: [\"program\", \"argument\", …]" + (orNull ? ", or null for none" : "")
    guard let list = TextList(key, in: values, expecting: expected, atMost: limit, &problems) else { return nil }
    for element in list.elements where element.text.utf8.contains(0) {
      problems.add("a NUL cannot be passed on", at: element.offset, path: element.path)
    }
    guard list.isWhole else { return nil }
    guard let program = list.elements.first?.text, !program.isEmpty else {
      problems.add("expected \(expected)", at: list.offset, path: values.path(of: key))
      return nil
    }
    return list.elements.map(\.text)
  }
}
