/// A list of strings in the configuration, each with its position.
struct TextList {
  struct Element {
    let text: String
    let offset: Int
    /// The value's path, for example `views.news.words[2]`.
    let path: String
  }

  /// The strings in the list. Other elements have been reported.
  let elements: [Element]
  /// Whether all elements are strings.
  let isComplete: Bool
  /// The position where the list begins.
  let offset: Int

  /// Reads the list under a key. Returns nil if the key is missing, or if its value is not a list, which is reported.
  init?(
    _ key: String, in values: KeyedValues, expecting expected: String, atMost limit: Int = .max,
    _ problems: inout Problems
  ) {
    guard let node = values[key]?.value else { return nil }
    guard case .array(let nodes) = node.content else {
      values.note("expected \(expected), found \(node.content.kind)", at: key, &problems)
      return nil
    }
    if nodes.count > limit {
      values.note("has \(nodes.count) elements; at most \(limit) are allowed", at: key, &problems)
    }
    var elements: [Element] = []
    for (index, element) in nodes.enumerated() {
      let path = values.path(of: key) + "[\(index)]"
      if case .string(let text) = element.content {
        elements.append(Element(text: text, offset: element.offset, path: path))
      } else {
        problems.add("expected a string, found \(element.content.kind)", at: element.offset, path: path)
      }
    }
    self.elements = elements
    isComplete = elements.count == nodes.count
    offset = node.offset
  }

  /// Reports duplicates and invalid elements.
  func check(_ problems: inout Problems, for fault: (String) -> String? = { _ in nil }) {
    var seen: Set<String> = []
    for element in elements {
      if let fault = fault(element.text) {
        problems.add(fault, at: element.offset, path: element.path)
      } else if !seen.insert(element.text).inserted {
        problems.add(
          "\(DisplayText.quoted(element.text)) is in the list more than once", at: element.offset, path: element.path)
      }
    }
  }
}
