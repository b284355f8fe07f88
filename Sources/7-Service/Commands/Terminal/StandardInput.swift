package import Platform
internal import Posting

/// Reads and replaces the text on standard input.
package enum StandardInput {
  /// Reads standard input to its end. A line feed at the end is removed.
  static func text() throws(CommandError) -> String {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor.standardInput().readToEnd(limit: PostDraft.longestText)
    } catch {
      throw CommandError(
        error.isTooLarge ? .badData : .inputOutput,
        error.isTooLarge ? "the text is longer than \(PostDraft.longestText) bytes" : "\(error)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.badData, "\(UndecodableText(subject: "the text on standard input", bytes: bytes))")
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Makes text the standard input of this process and of the program that replaces this process (execve(2)).
  package static func replace(with text: String) throws(SystemError) {
    try Descriptor.replaceStandardInput(with: Array(text.utf8))
  }
}
