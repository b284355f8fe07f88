/// Text that a user has typed, and text that is shown beside it.
extension String {
  /// The text without the space around it.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The text as a sentence: with an upper-case letter at its beginning and a full stop at its end.
  var sentence: String { prefix(1).uppercased() + dropFirst() + (last.map { ".?!".contains($0) } ?? true ? "" : ".") }
}
