/// A program and its arguments, as a list in the configuration.
enum ProgramArguments {
  /// Returns a program and its arguments as a list that is never empty; nil if the key is missing or has an invalid
  /// value, which is reported.
  static func list(
    _ key: String, in values: KeyedValues, orNull: Bool = false, atMost limit: Int = .max, _ problems: inout Problems
  ) -> [String]? {
    let expected = "a program and its arguments: [\"program\", \"argument\", …]" + (orNull ? ", or null for none" : "")
    guard let list = TextList(key, in: values, expecting: expected, atMost: limit, &problems) else { return nil }
    for element in list.elements where element.text.utf8.contains(0) {
      problems.add("a NUL character is not allowed", at: element.offset, path: element.path)
    }
    guard list.isComplete else { return nil }
    guard let program = list.elements.first?.text, !program.isEmpty else {
      problems.add("expected \(expected)", at: list.offset, path: values.path(of: key))
      return nil
    }
    return list.elements.map(\.text)
  }
}
