internal import Formats
internal import LocalCommands
internal import TerminalText

extension ShownPostWriter {
  /// Returns threads as text. Replies are indented below the posts they reply to; an empty line separates posts.
  func output(of threads: PostThreads) -> ProgramOutput {
    let depth = plain.greatestDepth
    let texts = threads.lines.map { line in
      text(of: line.post, showsReply: line.depth == 0, indentation: min(line.depth, depth) * PlainText.indentation)
    }
    return .rendered(texts.joined(separator: "\n"))
  }
}
