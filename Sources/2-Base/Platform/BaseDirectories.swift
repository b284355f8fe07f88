/// The folders of the XDG Base Directory Specification 0.8, which requires programs to ignore relative paths.
package struct BaseDirectories: Sendable, Hashable {
  package let home: String
  package let config: String
  package let cache: String
  package let data: String
  package let state: String
  /// The folder for sockets; `nil` outside a login session.
  package let runtime: String?

  /// Derives the folders from the environment; `nil` if a folder cannot be derived from its own variable or from
  /// an absolute `HOME`.
  package init?(environment: [String: String]) { self.init { environment[$0] } }

  /// - Parameter value: returns a variable's value; nil if it is missing.
  package init?(value: (_ variable: String) -> String?) {
    func folder(_ variable: String) -> String? {
      guard let path = value(variable), path.hasPrefix("/") else { return nil }
      return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
    let home = folder("HOME")
    func base(_ variable: String, _ under: String) -> String? { folder(variable) ?? home.map { "\($0)/\(under)" } }
    guard let config = base("XDG_CONFIG_HOME", ".config"), let cache = base("XDG_CACHE_HOME", ".cache"),
      let data = base("XDG_DATA_HOME", ".local/share"), let state = base("XDG_STATE_HOME", ".local/state")
    else { return nil }
    self.home = home ?? "/"
    self.config = config
    self.cache = cache
    self.data = data
    self.state = state
    runtime = folder("XDG_RUNTIME_DIR")
  }
}
