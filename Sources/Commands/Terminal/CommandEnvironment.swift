package import Platform
package import Settings

/// Where a command is run: its variables, and the folders that follow from them.
package struct CommandEnvironment: Sendable {
  package let variables: [String: String]

  package init(variables: [String: String]) { self.variables = variables }

  package func folders() throws(CommandFailure) -> BaseDirectories {
    if let folders = BaseDirectories(environment: variables) { return folders }
    throw CommandFailure(.configuration, "HOME is not set to an absolute path, so there is no place for files")
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

/// Whether a terminal knows hyperlinks (OSC 8), as far as its variables tell. One that does not may show their addresses as rubbish,
/// so only those that are known to are taken.
package enum HyperlinkSupport {
  /// - Parameter isTerminal: whether output goes to a terminal.
  package static func isKnown(_ variables: [String: String], isTerminal: Bool) -> Bool {
    // As many programs take it: 0 for no and anything else for yes, wherever output goes.
    if let forced = variables["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
    let kind = variables["TERM"] ?? ""
    guard isTerminal, !["", "dumb", "linux"].contains(kind) else { return false }
    // Inside tmux and screen the variables of the terminal around them say nothing.
    if variables["TERM_PROGRAM"] == "tmux" { return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 4) }
    if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || variables["TMUX"] != nil || variables["STY"] != nil {
      return false
    }
    if kinds.contains(where: kind.hasPrefix) { return true }
    if names.contains(where: { variables[$0].map { !$0.isEmpty } ?? false }) { return true }
    // 0.50.0 crashes on them.
    if let vte = variables["VTE_VERSION"].flatMap({ Int($0) }), vte > 5000 { return true }
    switch variables["TERM_PROGRAM"] {
    case "iTerm.app": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 1)
    case "vscode": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 1, 72)
    case "WezTerm", "ghostty", "rio", "mintty", "Tabby": return true
    default: return false
    }
  }

  /// Terminals that have a `TERM` of their own, which also comes through ssh.
  private static let kinds = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour", "mintty"]
  private static let names = ["KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"]

  private static func isVersion(_ text: String?, from major: Int, _ minor: Int) -> Bool {
    let numbers = (text ?? "").split(separator: ".").map { Int($0.prefix { ("0"..."9").contains($0) }) ?? 0 }
    guard let first = numbers.first else { return false }
    return first > major || first == major && numbers.count > 1 && numbers[1] >= minor
  }
}

/// The configuration's file: where it is, and what reading it means for a command.
package struct ConfigurationFile: Sendable, Hashable {
  package let path: String

  /// The file of `--config`, else the one in the user's configuration folder.
  init(_ given: String?, in folders: BaseDirectories) {
    path = given ?? "\(folders.config)/homeline/config.json"
  }

  /// Reads it.
  ///
  /// - Throws: 78, when there is none, it cannot be read or something is wrong with it; then the message has all problems,
  ///   one a line.
  package func load() throws(CommandFailure) -> Configuration {
    switch try result() {
    case .success(let configuration): return configuration
    case .failure(let error):
      throw CommandFailure(
        .configuration, "the configuration has mistakes\n" + lines(of: error).joined(separator: "\n"))
    }
  }

  /// The same, with the problems apart from other failures.
  package func result() throws(CommandFailure) -> Result<Configuration, SettingsError> {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.read(path, limit: Configuration.byteLimit)
    } catch {
      guard error.isNoEntry else { throw CommandFailure(.configuration, "\(path): \(error.reason)") }
      throw CommandFailure(
        .configuration, "\(path): there is no configuration. \(Self.beginning(at: path))")
    }
    return Result { () throws(SettingsError) in try Configuration(reading: bytes) }
  }

  /// How to begin: with the example that was installed with this program, or lies in the folder that it was built in.
  private static func beginning(at path: String) -> String {
    var folder = (try? ProcessEnvironment.programPath()) ?? ""
    for _ in 0..<5 {
      guard let parent = Folder.parent(of: folder) else { break }
      let examples = ["share/doc/homeline/config.example.json", "config.example.json"].map { "\(parent)/\($0)" }
      if let example = examples.first(where: { File.exists($0) }) {
        return "To begin: install -D -m 600 '\(example)' '\(path)'"
      }
      folder = parent
    }
    return "To begin, write one there; what it holds: man homeline"
  }

  /// Each problem as `FILE:LINE:COLUMN: PATH: what`, which editors understand.
  package func lines(of error: SettingsError) -> [String] { error.problems.map { "\(path):\($0)" } }
}
