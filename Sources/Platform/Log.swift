/// Where a program says what happens: lines with a level each, written somewhere by whoever made it.
package struct Log: Sendable {
  /// How much a line matters, with the numbers of syslog(3), which are the journal's too (sd-daemon(3)).
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    /// Something that was asked for does not work.
    case error = 3
    /// It goes on, but not as it should.
    case warning = 4
    /// Worth knowing, and all is well.
    case notice = 5
    case info = 6
    /// For who looks for a fault.
    case debug = 7

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private let write: @Sendable (Level, String) -> Void

  /// - Parameter write: called on any queue, with one line; never with a secret.
  package init(_ write: @escaping @Sendable (Level, String) -> Void) { self.write = write }

  package func callAsFunction(_ level: Level, _ line: String) { write(level, line) }

  /// The same with something before each line, such as an account's name.
  package func prefixed(_ prefix: String) -> Log { Log { self($0, "\(prefix): \($1)") } }

  /// Says nothing.
  package static let silent = Log { _, _ in }
}
