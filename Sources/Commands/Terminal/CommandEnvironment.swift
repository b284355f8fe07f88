package import Platform
package import Settings

/// The environment of a command: its variables, and the folders and terminal features that they select.
package struct CommandEnvironment: Sendable {
  package let variables: [String: String]

  package init(variables: [String: String]) { self.variables = variables }

  /// The XDG base directories.
  /// - Throws: 78 if `HOME` is not an absolute path.
  package func folders() throws(CommandError) -> BaseDirectories {
    if let folders = BaseDirectories(environment: variables) { return folders }
    throw CommandError(.configuration, "HOME is not an absolute path; set it to your home directory")
  }

  /// Whether output can be coloured: it goes to a terminal with colours, and `NO_COLOR` is not set (no-color.org).
  package var showsColour: Bool {
    Terminal.outputIsTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
  }

  /// Whether output can have hyperlinks.
  package var showsLinks: Bool { HyperlinkSupport.isKnown(variables, isTerminal: Terminal.outputIsTerminal) }

  /// The width of the output terminal: `COLUMNS`, otherwise as the terminal reports it, otherwise 80. Nil if output does not go to a
  /// terminal.
  package var outputColumns: Int? {
    guard Terminal.outputIsTerminal else { return nil }
    if let columns = variables["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return Terminal.outputColumns ?? 80
  }
}

/// Detects terminals that support hyperlinks (OSC 8) by their environment variables. Other terminals can print the escape sequences as
/// text, so an unknown terminal is assumed not to support them.
package enum HyperlinkSupport {
  /// - Parameter isTerminal: Whether output goes to a terminal.
  static func isKnown(_ variables: [String: String], isTerminal: Bool) -> Bool {
    // The usual meaning: 0 is no, anything else is yes, even if output does not go to a terminal.
    if let forced = variables["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
    let kind = variables["TERM"] ?? ""
    guard isTerminal, !["", "dumb", "linux"].contains(kind) else { return false }
    // Inside tmux and screen, the variables of the outer terminal do not apply.
    if variables["TERM_PROGRAM"] == "tmux" { return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 4) }
    if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || variables["TMUX"] != nil || variables["STY"] != nil {
      return false
    }
    if kinds.contains(where: kind.hasPrefix) { return true }
    if names.contains(where: { variables[$0].map { !$0.isEmpty } ?? false }) { return true }
    // VTE 0.50.0 crashes on hyperlinks.
    if let vte = variables["VTE_VERSION"].flatMap({ Int($0) }), vte > 5000 { return true }
    switch variables["TERM_PROGRAM"] {
    case "iTerm.app": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 1)
    case "vscode": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 1, 72)
    case "WezTerm", "ghostty", "rio", "mintty", "Tabby": return true
    default: return false
    }
  }

  /// Prefixes of `TERM` in terminals that support hyperlinks. ssh passes `TERM` on.
  private static let kinds = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour", "mintty"]
  /// Variables set only by terminals that support hyperlinks.
  private static let names = ["KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"]

  private static func isVersion(_ text: String?, from major: Int, _ minor: Int) -> Bool {
    let numbers = (text ?? "").split(separator: ".").map { Int($0.prefix { ("0"..."9").contains($0) }) ?? 0 }
    guard let first = numbers.first else { return false }
    return first > major || first == major && numbers.count > 1 && numbers[1] >= minor
  }
}

/// The configuration file of a command.
package struct ConfigurationFile: Sendable, Hashable {
  package let path: String

  /// The file given by `--config`, otherwise the one in the user's configuration folder.
  init(_ given: String?, in folders: BaseDirectories) {
    path = given ?? "\(folders.config)/homeline/config.json"
  }

  /// Reads the configuration.
  ///
  /// - Throws: 78 if the file is missing, cannot be read or has errors. The message lists all errors, one per line.
  package func load() throws(CommandError) -> Configuration {
    switch try result() {
    case .success(let configuration): return configuration
    case .failure(let error):
      throw CommandError(
        .configuration, "the configuration has errors\n" + lines(of: error).joined(separator: "\n"))
    }
  }

  /// Reads the configuration, and returns its errors instead of throwing them.
  package func result() throws(CommandError) -> Result<Configuration, SettingsError> {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.read(path, limit: Configuration.byteLimit)
    } catch {
      guard error.isNoEntry else { throw CommandError(.configuration, "\(path): \(error.reason)") }
      throw CommandError(
        .configuration, "\(path): the configuration does not exist. \(Self.beginning(at: path))")
    }
    return Result { () throws(SettingsError) in try Configuration(reading: bytes) }
  }

  /// How to create a configuration: from the example that was installed with this program, or is in its source folder.
  private static func beginning(at path: String) -> String {
    var folder = (try? ProcessEnvironment.programPath()) ?? ""
    for _ in 0..<5 {
      guard let parent = Folder.parent(of: folder) else { break }
      let examples = ["share/doc/homeline/config.example.json", "config.example.json"].map { "\(parent)/\($0)" }
      if let example = examples.first(where: { File.exists($0) }) {
        return "To create one: install -D -m 600 '\(example)' '\(path)'"
      }
      folder = parent
    }
    return "Create it; for its format, see man homeline-config"
  }

  /// Each error as `FILE:LINE:COLUMN: KEY: MESSAGE`, which editors understand.
  package func lines(of error: SettingsError) -> [String] { error.problems.map { "\(path):\($0)" } }
}
