package import Bytes

/// The source of a secret. The secret itself is read only when it is needed.
package enum SecretSource: Sendable, Hashable {
  /// The secret is written in the configuration itself.
  case literal(Secret)
  /// The first line of a file that only the user can read. The path is absolute, or begins with `~/`.
  case file(path: String)
  /// A file with this name in systemd's `$CREDENTIALS_DIRECTORY` (systemd.exec(5), `LoadCredential=`).
  case credential(name: String)
  /// The first line that this program writes when run with these arguments; never empty.
  case command([String])
  /// The item for this account in the keyring of the user's session.
  case keyring(account: String)
}

extension SecretSource {
  /// The sources other than the configuration itself.
  static let keys = ["file", "credential", "command", "keyring"]

  init?(_ node: ConfigurationTree.Node, path: String, offset: Int, _ problems: inout Problems) {
    if case .string(let text) = node.content {
      if let fault = Self.fault(of: text) { problems.add(fault, at: node.offset, path: path) }
      self = .literal(Secret(text))
      return
    }
    guard case .object = node.content else {
      problems.add(
        "expected a string, {\"file\": …}, {\"credential\": …}, {\"command\": […]} or {\"keyring\": …}, found "
          + node.content.kind,
        at: node.offset, path: path)
      return nil
    }
    guard let values = KeyedValues(node, path: path, offset: offset, keys: Self.keys, &problems) else { return nil }
    let named = Self.keys.filter(values.has)
    guard let key = named.first, named.count == 1 else {
      // Unknown keys have already been reported.
      if values.isEmpty { problems.add("expected file, credential, command or keyring", at: node.offset, path: path) }
      if named.count > 1 {
        problems.add("only one of \(named.joined(separator: ", "))", at: node.offset, path: path)
      }
      return nil
    }
    switch key {
    case "file": self.init(file: values, &problems)
    case "credential": self.init(credential: values, &problems)
    case "keyring": self.init(keyring: values, &problems)
    default: self.init(command: values, &problems)
    }
  }

  /// Returns the reason a key or secret is obviously wrong, without quoting it; nil if there is none.
  static func fault(of text: String) -> String? {
    if text.isEmpty { return "is empty" }
    let isSpace = { (byte: UInt8) in byte <= 0x20 || byte == 0x7f }
    guard let first = text.utf8.first, let last = text.utf8.last, !isSpace(first), !isSpace(last) else {
      return "begins or ends with white space"
    }
    return nil
  }

  private init?(file values: KeyedValues, _ problems: inout Problems) {
    guard let path = values.string("file", &problems) else { return nil }
    // A relative path would lead to different files in the service and in a terminal.
    guard path.hasPrefix("/") || path.hasPrefix("~/"), !path.utf8.contains(0) else {
      values.note("expected a path that begins with / or ~/", at: "file", &problems)
      return nil
    }
    self = .file(path: path)
  }

  private init?(credential values: KeyedValues, _ problems: inout Problems) {
    guard let name = values.string("credential", &problems) else { return nil }
    // The credential is a file in a fixed folder, and its name must not lead out of that folder.
    guard (1...255).contains(name.utf8.count), name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 <= 0x20 || $0 == 0x7f })
    else {
      values.note("expected the name of a systemd credential: a file name without /", at: "credential", &problems)
      return nil
    }
    self = .credential(name: name)
  }

  private init?(keyring values: KeyedValues, _ problems: inout Problems) {
    guard let account = values.string("keyring", &problems) else { return nil }
    guard (1...255).contains(account.utf8.count), !account.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      values.note("expected the account attribute of an item in the keyring", at: "keyring", &problems)
      return nil
    }
    self = .keyring(account: account)
  }

  private init?(command values: KeyedValues, _ problems: inout Problems) {
    guard let arguments = ProgramArguments.list("command", in: values, &problems) else { return nil }
    self = .command(arguments)
  }
}
