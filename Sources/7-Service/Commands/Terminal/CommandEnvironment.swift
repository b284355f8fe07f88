package import Platform
package import TerminalText

/// The environment of a command: its variables, and the folders and terminal features that they select.
package struct CommandEnvironment: Sendable {
  /// The variables; nil for those of this process.
  private let given: [String: String]?
  private static let ofProcess = ProcessEnvironment.variables()

  package init(variables: [String: String]) { given = variables }

  private init() { given = nil }

  /// The environment of this process.
  package static let process = CommandEnvironment()

  /// All variables. For a single one, a subscript is faster.
  package var variables: [String: String] { given ?? Self.ofProcess }

  /// The value of a variable; nil if it is missing.
  package subscript(variable: String) -> String? {
    if let given { return given[variable] }
    return ProcessEnvironment.variable(variable)
  }

  /// Returns the XDG base directories.
  /// - Throws: an error with exit code 78 if `HOME` is not an absolute path.
  package func folders() throws(CommandError) -> BaseDirectories {
    if let folders = BaseDirectories(value: { self[$0] }) { return folders }
    throw CommandError(.configuration, "HOME is not an absolute path; set it to your home folder")
  }

  /// Whether output can be coloured: standard output is a terminal with colours, and `NO_COLOR` is not set (no-color.org).
  package var showsColour: Bool {
    Terminal.outputIsTerminal && (self["NO_COLOR"] ?? "").isEmpty && self["TERM"] != "dumb"
  }

  /// Whether output can have hyperlinks.
  var showsLinks: Bool { HyperlinkSupport.isKnown({ self[$0] }, isTerminal: Terminal.outputIsTerminal) }

  /// The width of the output terminal: `COLUMNS`, otherwise the width that the terminal reports, otherwise 80. It is nil if standard
  /// output is not a terminal.
  package var outputColumns: Int? {
    guard Terminal.outputIsTerminal else { return nil }
    if let columns = self["COLUMNS"].flatMap({ Int($0) }), (1...10_000).contains(columns) { return columns }
    return Terminal.outputColumns ?? 80
  }

  /// The current width and features of the output; the user can resize a terminal.
  package var terminalForm: TerminalForm {
    TerminalForm(columns: outputColumns.map(TerminalForm.textColumns), isColoured: showsColour, hasLinks: showsLinks)
  }
}
