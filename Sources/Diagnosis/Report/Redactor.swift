internal import HomelineOAuth

/// Removes everything that identifies the user from findings: names, hosts, paths and secrets are replaced with placeholders.
///
/// A value of a known kind is replaced with a placeholder for that kind. Text from elsewhere is searched for this installation's values,
/// and then for everything that looks like a path, a host, an address or a key. Text that might identify the user is hidden.
struct Redactor {
  private let values: PrivateValues
  private let secrets: OAuth.Redaction
  private var placeholders = Placeholders()
  private let names: [[Character]]
  private let hosts: [[Character]]
  private let paths: [[Character]]

  init(_ values: PrivateValues) {
    self.values = values
    secrets = OAuth.Redaction(values.secrets, sent: values.secrets)
    func longestFirst(_ texts: Set<String>) -> [[Character]] {
      texts.map { Array($0) }.sorted { ($1.count, String($0)) < ($0.count, String($1)) }
    }
    names = longestFirst(values.names)
    hosts = longestFirst(values.hosts)
    paths = longestFirst(values.paths.union(values.folders.map(\.path)))
  }

  /// Returns a text with placeholders.
  mutating func text(of text: DiagnosticText) -> String {
    text.parts.map { part in
      switch part {
      case .literal(let text): text
      case .name(let name): placeholders.placeholder(.name, for: name)
      case .host(let host): placeholders.placeholder(.host, for: host.lowercased())
      case .path(let path): self.path(path)
      case .foreign(let text): foreign(text)
      }
    }.joined()
  }

  // MARK: Paths

  /// Returns a path with placeholders. The names of homeline's own files are kept, as in `<state>/<name 1>/token.json`; any other path
  /// becomes a placeholder.
  private mutating func path(_ path: String) -> String {
    for folder in values.folders where path == folder.path || path.hasPrefix(folder.path + "/") {
      let rest = path.dropFirst(folder.path.count).split(separator: "/")
      return ([folder.placeholder] + rest.map { component(String($0)) }).joined(separator: "/")
    }
    return placeholders.placeholder(.path, for: path)
  }

  private mutating func component(_ name: String) -> String {
    if Self.fileNames.contains(name) { return name }
    return placeholders.placeholder(values.names.contains(name) ? .name : .path, for: name)
  }

  /// The names of homeline's own files, which identify no one.
  private static let fileNames: Set<String> = [
    "config.json", "config.d", "token.json", "timeline.db", "home_timeline.json", "control.socket", "status.json",
    "lock",
    "_servers",
    "client.json", "server.json", "_media", "_views", "_sandbox",
  ]

  // MARK: Text from other sources

  private mutating func foreign(_ text: String) -> String {
    var rest = Array(secrets.applied(to: text))[...]
    var written = ""
    while let first = rest.first {
      if let (placeholder, count) = knownPath(at: rest) ?? known(at: rest, after: written.last) {
        written += placeholder
        rest = rest.dropFirst(count)
      } else if Self.isSeparator(first) {
        written.append(first)
        rest = rest.dropFirst()
      } else {
        let token = rest.prefix { !Self.isSeparator($0) }
        written += scrubbed(String(token))
        rest = rest.dropFirst(token.count)
      }
    }
    return written
  }

  /// Returns the placeholder for a path that begins with a known folder or file, and the path's length. The known path may contain spaces.
  private mutating func knownPath(at text: ArraySlice<Character>) -> (String, Int)? {
    guard text.first == "/" else { return nil }
    for known in paths where text.starts(with: known) {
      let path = known + text.dropFirst(known.count).prefix { !Self.isSeparator($0) && $0 != ":" }
      return (self.path(String(path)), path.count)
    }
    return nil
  }

  /// Returns the placeholder for a known value at the beginning of a text, and the value's length. A name is recognised only as a whole
  /// word.
  private mutating func known(at text: ArraySlice<Character>, after previous: Character?) -> (String, Int)? {
    guard !Self.isWord(previous) else { return nil }
    for (kind, values) in [(Placeholders.Kind.host, hosts), (.name, names)] {
      for value in values where Self.begins(text, with: value) && !Self.isWord(text.dropFirst(value.count).first) {
        let text = String(value)
        return (placeholders.placeholder(kind, for: kind == .host ? text.lowercased() : text), value.count)
      }
    }
    return nil
  }

  private static func begins(_ text: ArraySlice<Character>, with value: [Character]) -> Bool {
    text.count >= value.count && zip(text, value).allSatisfy { $0 == $1 || $0.lowercased() == $1.lowercased() }
  }

  private static func isWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// Returns whether a character separates the parts of a message. A slash, a dot or a colon does not, because it can be part of a path or
  /// an address.
  private static func isSeparator(_ character: Character) -> Bool {
    character.isWhitespace || "\"'`,;()<>{}|".contains(character)
  }

  /// Returns a word from a message, replaced with a placeholder if it looks private. Punctuation at its end is kept.
  private mutating func scrubbed(_ token: String) -> String {
    let word = String(token.reversed().drop { ".:!?".contains($0) }.reversed())
    let end = token.dropFirst(word.count)
    return replacement(for: word) + end
  }

  private mutating func replacement(for word: String) -> String {
    if Self.fileNames.contains(word) || word == OAuth.Redaction.mark { return word }
    if word.contains("://") { return placeholders.placeholder(.address, for: word) }
    if word.hasPrefix("/") || word.hasPrefix("~") || word.hasPrefix("./") {
      // The position in a file is kept, as in `/home/u/config.json:3:1`.
      let path = String(word.prefix { $0 != ":" })
      return path.count > 1 ? self.path(path) + word.dropFirst(path.count) : word
    }
    if word.contains("@") { return placeholders.placeholder(.name, for: word) }
    if Self.looksLikeHost(word) { return placeholders.placeholder(.host, for: word.lowercased()) }
    if word.contains("/") { return placeholders.placeholder(.path, for: word) }
    if Self.looksLikeKey(word) { return placeholders.placeholder(.hidden, for: word) }
    // The name may be inside a word, such as `bird:posts` or `bird's`.
    for name in values.names
    where word.lowercased().split(whereSeparator: { !Self.isWord($0) }).contains(Substring(name.lowercased())) {
      return placeholders.placeholder(.hidden, for: word)
    }
    return word
  }

  /// Returns whether a word is a name with a dot and a top-level domain, an IPv4 address, or an IPv6 address, each with or without a port.
  private static func looksLikeHost(_ word: String) -> Bool {
    if word.contains("::") || word.hasPrefix("[") { return true }
    let host = word.prefix { $0 != ":" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last else { return false }
    if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
    return last.count > 1 && last.contains(where: \.isLetter)
      && labels.allSatisfy { label in !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
  }

  /// Returns whether a word is long and contains digits and letters, or is longer than any word in a human language.
  private static func looksLikeKey(_ word: String) -> Bool {
    word.count >= 32 || word.count >= 12 && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
  }
}

/// Replaces values with numbered placeholders such as `<host 1>`. The same value always has the same placeholder.
private struct Placeholders {
  enum Kind: String {
    case name, host, path, address, hidden
  }

  private var numbers: [Kind: [String: Int]] = [:]

  /// Returns the placeholder for a value, with a new number for a new value.
  /// - Parameter value: the value, which is compared byte by byte; a host must be in lower case.
  mutating func placeholder(_ kind: Kind, for value: String) -> String {
    let number = numbers[kind]?[value] ?? (numbers[kind]?.count ?? 0) + 1
    numbers[kind, default: [:]][value] = number
    return "<\(kind.rawValue) \(number)>"
  }
}
