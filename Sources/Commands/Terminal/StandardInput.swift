package import Platform
internal import Posting

/// The text on standard input.
package enum StandardInput {
  /// Reads a text to its end, without the line feed at its end.
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
      throw CommandError(.badData, "the text on standard input is not UTF-8")
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Makes a text the standard input of this process, for the program that replaces it.
  package static func replace(with text: String) throws(SystemError) {
    try Descriptor.replaceStandardInput(with: Array(text.utf8))
  }
}
