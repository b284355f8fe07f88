package import Platform

/// Where a command is run: its variables, and the folders that follow from them.
package struct Surroundings: Sendable {
  package let variables: [String: String]

  package init(variables: [String: String]) { self.variables = variables }

  package func folders() throws(CommandFailure) -> BaseDirectories {
    if let folders = BaseDirectories(environment: variables) { return folders }
    throw CommandFailure(.configuration, "HOME is not set to an absolute path, so there is no place for files")
  }

  package func configurationFile(_ invocation: Invocation) throws(CommandFailure) -> ConfigurationFile {
    let file = ConfigurationFile(invocation.configurationFile, in: try folders())
    if invocation.isVerbose { Terminal.say("homeline: the configuration is \(file.path)") }
    return file
  }

  /// Whether output may be coloured: it goes to a terminal that can, and nobody asked not to (no-color.org).
  package var showsColour: Bool {
    Terminal.outputIsTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
  }

  /// Whether output may have hyperlinks.
  package var showsLinks: Bool { HyperlinkSupport.isKnown(variables, isTerminal: Terminal.outputIsTerminal) }

  /// How wide the terminal is that output goes to: as `COLUMNS` says, else the terminal, else 80; nil when it goes elsewhere.
  package var outputColumns: Int? {
    guard Terminal.outputIsTerminal else { return nil }
    if let said = variables["COLUMNS"].flatMap({ Int($0) }), said > 0 { return said }
    return Terminal.outputColumns ?? 80
  }
}
