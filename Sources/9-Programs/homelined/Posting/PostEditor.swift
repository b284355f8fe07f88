internal import Commands
internal import Folders
internal import Glibc
internal import Platform
internal import Posting

/// Lets the user write a post in an editor, in a private file that is kept until the post is in the outbox.
struct PostEditor {
  let environment: CommandEnvironment
  let layout: FileLayout

  /// The mark of the lines with notes for the user, which are left out. A hashtag has no space after its `#`.
  private static let mark = "#"

  /// Opens the editor and waits until it exits.
  /// - Parameter notes: shown below the text.
  /// - Returns: the text, and the file that contains it.
  /// - Throws: an error if the text is empty, the editor failed, or the file cannot be used. Written text is kept, and the error gives its
  ///   path.
  func write(notes: [String]) throws(CommandError) -> WrittenPost {
    let folder = layout.draftFolder
    // A file with this name may contain the text of an earlier process with the same id.
    var path = "\(folder)/post-\(getpid()).txt"
    var number = 1
    while FreeName.isTaken(path) {
      number += 1
      path = "\(folder)/post-\(getpid())-\(number).txt"
    }
    let editor = try self.editor()
    do throws(SystemError) {
      try Folder.create(folder)
      try AtomicFile.removeAbandoned(in: folder)
      // Other names are drafts of the web page, which shows them.
      for name in try Folder.names(in: folder).sorted() where name.hasPrefix("post-") {
        Terminal.say("homeline: the text of an earlier post is kept in \(folder)/\(name)")
      }
      let comments = notes.map { $0.isEmpty ? Self.mark : "\(Self.mark) \($0)" }.joined(separator: "\n")
      try AtomicFile.write(Array("\n\(comments)\n".utf8), to: path, .replaced)
    } catch { throw CommandError(.cannotCreate, "the file for the text could not be created: \(error)") }
    let status = try run(editor, on: path)
    let text = try Self.text(in: path)
    if text.isEmpty {
      try? File.remove(path)
      let reason = status == 0 ? "the text is empty" : "\(editor) ended with status \(status), and the text is empty"
      throw CommandError(.badData, "\(reason); nothing was published")
    }
    do throws(SystemError) { try AtomicFile.write(Array("\(text)\n".utf8), to: path, .synced) } catch {
      throw CommandError(.inputOutput, "\(error). The text is kept in \(path)")
    }
    let written = WrittenPost(text: text, file: path)
    guard status == 0 else {
      throw CommandError(.badData, "\(editor) ended with status \(status); nothing was published. \(written.location)")
    }
    guard text.utf8.count <= PostDraft.longestText else {
      throw CommandError(.badData, "the text is longer than \(PostDraft.longestText) bytes. \(written.location)")
    }
    return written
  }

  /// Returns the user's editor as a shell command: `VISUAL`, `EDITOR`, or the system's `editor` or `vi`.
  private func editor() throws(CommandError) -> String {
    let variables = environment.variables
    let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { variables[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
    if let chosen { return chosen }
    let path = variables["PATH"] ?? "/usr/bin:/bin"
    if let found = ["editor", "vi"].first(where: { ProgramSearch.find($0, in: path) != nil }) { return found }
    throw CommandError(.unavailable, "no editor was found; set VISUAL or EDITOR, or pass the text as an argument")
  }

  private func run(_ editor: String, on path: String) throws(CommandError) -> Int32 {
    do throws(SystemError) {
      // The variables can contain arguments.
      return try Child.runInForeground(
        "/bin/sh", ["-c", "exec \(editor) \"$1\"", editor, path], environment: environment.variables)
    } catch {
      try? File.remove(path)
      throw CommandError(.unavailable, "\(editor) could not be started: \(error)")
    }
  }

  /// Returns the text in the file, without comments and without leading and trailing empty lines.
  private static func text(in path: String) throws(CommandError) -> String {
    let bytes: [UInt8]
    // With comments, the file may be longer than a post.
    do throws(SystemError) { bytes = try File.read(path, limit: 1 << 20) } catch {
      throw CommandError(.inputOutput, "\(error). The text is kept in \(path)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.badData, "the text is not UTF-8; nothing was published. It is kept in \(path)")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      line != mark && !line.hasPrefix("\(mark) ")
    }[...]
    while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}

/// Text that the user wrote in an editor.
struct WrittenPost {
  let text: String
  fileprivate let file: String

  /// A sentence with the path of the text.
  var location: String { "The text is kept in \(file)" }

  /// Removes the file if the post has been accepted; otherwise prints its path.
  func close(_ code: ExitCode) {
    if code == .done { try? File.remove(file) } else { Terminal.say("homeline: \(location)") }
  }
}
