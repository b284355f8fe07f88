internal import HomelineOAuth
internal import Settings

/// Removes everything that identifies the user from findings: names, hosts, paths and secrets are replaced with placeholders.
///
/// A value of a known kind is replaced with a placeholder for that kind. Text from elsewhere is searched for this installation's values,
/// and then for everything that looks like a path, a host, an address or a key. Text that might identify the user is hidden.
struct Redactor {
  private let values: PrivateValues
  private let secrets: OAuth.Redaction
  private var placeholders = Placeholders()
  private let names: [[Character]]
  /// The parts of the names, in lower case.
  private let nameParts: Set<String>
  private let hosts: [[Character]]
  private let paths: [[Character]]

  init(_ values: PrivateValues) {
    self.values = values
    secrets = OAuth.Redaction(values.secrets, sent: values.secrets)
    func longestFirst(_ texts: Set<String>) -> [[Character]] {
      texts.map { Array($0) }.sorted { ($1.count, String($0)) < ($0.count, String($1)) }
    }
    // A message may contain only a part of the user's name.
    let parts = Set(values.names.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) })
    nameParts = parts
    names = longestFirst(values.names.union(parts.filter { $0.count > 2 && !ProviderVocabulary.isHarmless($0) }))
    hosts = longestFirst(values.hosts)
    paths = longestFirst(values.paths.union(values.folders.map(\.path)))
  }

  /// Returns text with placeholders.
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
    "client.json", "server.json", "_media", "_views", "_sandbox", "_web",
  ]

  // MARK: Text from other sources

  private mutating func foreign(_ text: String) -> String {
    var rest = Array(secrets.applied(to: text))[...]
    var written = ""
    while let first = rest.first {
      if let (placeholder, count) = knownPath(at: rest) ?? known(at: rest, after: written.last) {
        written += placeholder
        rest = rest.dropFirst(count)
      } else if let (placeholder, count) = quotation(at: rest) ?? quoted(at: rest)
        ?? setting(at: rest, after: written.last)
      {
        written += placeholder
        rest = rest.dropFirst(count)
      } else if Self.isSeparator(first) {
        written.append(first)
        rest = rest.dropFirst()
      } else {
        let token = Self.token(at: rest)
        written += token.count == 0 ? String(first) : scrubbed(String(token))
        rest = rest.dropFirst(max(1, token.count))
      }
    }
    return written
  }

  /// Returns a server's message with placeholders, and its length. homeline encloses it in typographic quotation marks. It may itself
  /// contain such marks, so it ends at the line's last mark. Only known terms are kept (``ProviderVocabulary``), with everything between
  /// them.
  private mutating func quotation(at text: ArraySlice<Character>) -> (String, Int)? {
    guard text.first == "“" else { return nil }
    let line = text.prefix { !$0.isNewline }
    let end = line.lastIndex(of: "”") ?? line.endIndex
    var rest = line[line.startIndex..<end]
    var written = ""
    while let first = rest.first {
      if let (placeholder, count) = known(at: rest, after: written.last) {
        written += placeholder
        rest = rest.dropFirst(count)
      } else if Self.isWord(first) {
        let word = String(rest.prefix { Self.isWord($0) })
        let isKept = ProviderVocabulary.isHarmless(word) && !nameParts.contains(word.lowercased())
        written += isKept ? word : placeholders.placeholder(.hidden, for: word)
        rest = rest.dropFirst(word.count)
      } else {
        written.append(first)
        rest = rest.dropFirst()
      }
    }
    return (written, end - text.startIndex)
  }

  /// Returns the word at the beginning of a text. Each side of an assignment or a parameter, as in `user=bird&id=7`, is a word, except in
  /// an address or a path.
  private static func token(at text: ArraySlice<Character>) -> ArraySlice<Character> {
    let word = text.prefix { !isSeparator($0) }
    switch WordShape(of: String(word)) {
    case .address, .path: return word
    default: return word.prefix { $0 != "=" && $0 != "&" }
    }
  }

  /// Returns the placeholder for text in quotation marks, and the length of both. It may be a value from the configuration, or a path with
  /// spaces. The names of settings are kept, and so is text in single quotation marks that is not a path, because these may be apostrophes.
  private mutating func quoted(at text: ArraySlice<Character>) -> (String, Int)? {
    guard let mark = text.first, mark == "\"" || mark == "'" else { return nil }
    let content = text.dropFirst().prefix { $0 != mark && !$0.isNewline }
    guard !content.isEmpty, text.dropFirst(content.count + 1).first == mark else { return nil }
    let (value, count) = (String(content), content.count + 2)
    if value.hasPrefix("/") || value.hasPrefix("~/") { return ("\(mark)\(path(value))\(mark)", count) }
    guard mark == "\"" else { return nil }
    if ConfigurationKeys.all.contains(value) { return ("\"\(value)\"", count) }
    let kind: Placeholders.Kind = values.names.contains(value) ? .name : .hidden
    return ("\"\(placeholders.placeholder(kind, for: value))\"", count)
  }

  /// Returns the placeholder for a setting of an account or a view, such as `accounts.bird.server: `, and the length of the setting without
  /// the colon. The name may contain any character.
  private mutating func setting(at text: ArraySlice<Character>, after previous: Character?) -> (String, Int)? {
    guard !Self.isWord(previous) else { return nil }
    let key = text.prefix { !$0.isNewline && $0 != ":" }
    if key.first?.isWhitespace == false, text.dropFirst(key.count).starts(with: Array(": unknown key")) {
      if !key.contains(".") { return (placeholders.placeholder(.hidden, for: String(key)), key.count) }
    }
    guard let group = ["accounts.", "views."].first(where: { text.starts(with: Array($0)) })
    else { return nil }
    let line = String(text.dropFirst(group.count).prefix { !$0.isNewline })
    var name = line.firstIndex(of: ":").map { line[..<$0] } ?? line[...]
    let count = group.count + name.count
    var keys = ""
    while let dot = name.lastIndex(of: ".") {
      let key = name[name.index(after: dot)...]
      guard ConfigurationKeys.all.contains(String(key.prefix { $0 != "[" })) else { break }
      keys = "." + key + keys
      name = name[..<dot]
    }
    return (group + placeholders.placeholder(.name, for: String(name)) + keys, count)
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
    for (kind, values) in [(Placeholders.Kind.host, hosts), (.name, names)] {
      for value in values where Self.isWord(value, at: text, after: previous) {
        let text = String(value)
        return (placeholders.placeholder(kind, for: kind == .host ? text.lowercased() : text), value.count)
      }
    }
    return nil
  }

  /// Whether a text begins with a value that is a separate word.
  private static func isWord(_ value: [Character], at text: ArraySlice<Character>, after previous: Character?) -> Bool {
    begins(text, with: value) && isBoundary(previous, value.first)
      && isBoundary(value.last, text.dropFirst(value.count).first)
  }

  private static func begins(_ text: ArraySlice<Character>, with value: [Character]) -> Bool {
    text.count >= value.count && zip(text, value).allSatisfy { $0 == $1 || $0.lowercased() == $1.lowercased() }
  }

  /// Whether a word can end between two characters. Some languages, such as Chinese, are written without spaces.
  private static func isBoundary(_ left: Character?, _ right: Character?) -> Bool {
    guard isWord(left), isWord(right), let left, let right else { return true }
    return [left, right].contains { character in character.unicodeScalars.contains { $0.value >= 0x2e80 } }
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
    switch WordShape(of: word) {
    case .address: return placeholders.placeholder(.address, for: word)
    case .path:
      // The position in a file is kept, as in `/home/u/config.json:3:1`.
      let path = String(word.prefix { $0 != ":" })
      return path.count > 1 ? self.path(path) + word.dropFirst(path.count) : word
    case .relativePath: return placeholders.placeholder(.path, for: word)
    case .name: return placeholders.placeholder(.name, for: word)
    case .host: return placeholders.placeholder(.host, for: word.lowercased())
    case .hidden: return placeholders.placeholder(.hidden, for: word)
    case .plain: break
    }
    // The name may be inside a word, such as `bird:posts` or `bird's`.
    let characters = Array(word)
    let hasName = characters.indices.contains { start in
      let previous = start == 0 ? nil : characters[start - 1]
      return names.contains { Self.isWord($0, at: characters[start...], after: previous) }
    }
    return hasName ? placeholders.placeholder(.hidden, for: word) : word
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
