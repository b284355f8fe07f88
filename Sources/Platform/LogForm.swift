/// How lines of a log look where they are read.
package enum LogForm: Sendable, Hashable {
  /// A journal: the level as `<N>` before each line (sd-daemon(3)). It knows the program and the time itself.
  case journal
  /// People: the program's name before each line.
  case plain(program: String)

  /// One line of the log, with its line feed. Where it has several lines, each of them gets what stands before the first.
  ///
  /// Other control characters, and what reorders text around it, are shown as `\u{…}`: they could drive a terminal.
  package func text(_ level: Log.Level, _ line: String) -> String {
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
