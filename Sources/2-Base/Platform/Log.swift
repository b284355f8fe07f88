internal import Glibc

/// A program's log: lines with a level, written by the closure it was created with.
package struct Log: Sendable {
  /// A line's importance, numbered as in syslog(3) and in the journal (sd-daemon(3)).
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    /// A requested operation failed.
    case error = 3
    /// The program continues with restrictions.
    case warning = 4
    /// Worth knowing, but not a problem.
    case notice = 5
    case info = 6
    /// Details for troubleshooting.
    case debug = 7

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private let write: @Sendable (Level, String) -> Void

  /// - Parameter write: called on any queue with one line, which never contains a secret.
  package init(_ write: @escaping @Sendable (Level, String) -> Void) { self.write = write }

  package func callAsFunction(_ level: Level, _ line: String) { write(level, line) }

  /// Returns the same log with a prefix for each line, such as an account's name.
  package func prefixed(_ prefix: String) -> Log { Log { self($0, "\(prefix): \($1)") } }

  /// Discards all lines.
  package static let silent = Log { _, _ in }
}

extension Log {
  /// Writes to standard error. Each line begins with its level as `<N>` in the journal, and otherwise with the program's name.
  /// - Parameters:
  ///   - program: the prefix of lines outside the journal.
  ///   - threshold: less important lines are discarded.
  ///   - environment: contains `JOURNAL_STREAM`.
  package static func standardError(
    of program: String, threshold: Level = .info, environment: [String: String]
  ) -> Log {
    let isJournal = JournalStream.isJournal(descriptor: 2, environment: environment)
    let form = isJournal ? LogForm.journal : .plain(program: program)
    return Log { level, line in
      // The line is written in one step, so that lines from several queues do not mix.
      if level <= threshold { Terminal.write(toStandardError: form.text(level, line)) }
    }
  }
}

/// The format of log lines, which depends on where they go.
enum LogForm: Sendable, Hashable {
  /// For the journal: each line begins with the level as `<N>` (sd-daemon(3)). The journal adds the program and the time.
  case journal
  /// Elsewhere: the program's name before each line.
  case plain(program: String)

  /// Returns one line of the log, with its line feed. If the line contains line feeds, each part gets the same prefix.
  ///
  /// Other control characters and bidirectional controls are escaped as `\u{…}`, because they could control a terminal.
  func text(_ level: Log.Level, _ line: String) -> String {
    let prefix =
      switch self {
      case .journal: "<\(level.rawValue)>"
      case .plain(let program): "\(program): "
      }
    var text = prefix
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar == "\n": text += "\n\(prefix)"
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\n"
  }
}

/// Checks whether one of this process's streams is connected to the journal.
enum JournalStream {
  /// Returns whether a stream is connected to the journal.
  /// - Parameter environment: contains `JOURNAL_STREAM`, the device and inode of the socket that the service manager has connected to the
  ///   journal. Children inherit the variable even if their streams go elsewhere, so its value is compared with the stream
  ///   (systemd.exec(5)).
  static func isJournal(descriptor: Int32, environment: [String: String]) -> Bool {
    guard let parts = environment["JOURNAL_STREAM"]?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2, let device: UInt64 = ServiceVariables.number(String(parts[0])),
      let inode: UInt64 = ServiceVariables.number(String(parts[1]))
    else { return false }
    var facts = stat()
    return unsafe fstat(descriptor, &facts) == 0 && facts.st_dev == device && facts.st_ino == inode
  }
}
