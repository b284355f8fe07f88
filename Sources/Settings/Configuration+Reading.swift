internal import JSON

extension Configuration {
  /// The keys at the top of the file.
  package static let keys = ["callback", "accounts", "views", "media", "sandbox"] + SharedSettings.keys

  /// Reads the text of `config.json`.
  ///
  /// - Throws: all that is wrong with it in one error; text that is no JSON ends the search there.
  package init(
    reading bytes: [UInt8], providers: [String: ProviderDefaults] = ProviderDefaults.known
  ) throws(SettingsError) {
    var problems = Problems(in: bytes)
    guard let root = Self.tree(bytes, &problems) else { throw SettingsError(problems: problems.sorted) }
    let top = KeyedValues(root, path: "", offset: root.offset, keys: Self.keys, &problems)
    let callback = top?["callback"].flatMap { CallbackSettings($0, &problems) }
    let media = top?["media"].flatMap { MediaSettings($0, &problems) }
    let sandbox = top?["sandbox"].flatMap { SandboxSettings($0, &problems) }
    let shared = top.map { SharedSettings($0, &problems) } ?? SharedSettings()
    let accounts = top.flatMap { Self.accounts(in: $0, providers: providers, shared, &problems) }
    let views = top.map {
      Self.views(in: $0, accounts: accounts ?? [], providers: providers, shared, &problems)
    }
    Self.checkRedirects(accounts ?? [], top?["callback"], callback, providers, &problems)
    guard problems.isEmpty else { throw SettingsError(problems: problems.sorted) }
    self.init(
      callback: callback ?? CallbackSettings(), accounts: accounts ?? [], views: views ?? [],
      media: media ?? MediaSettings(), sandbox: sandbox ?? SandboxSettings())
  }

  private static func tree(_ bytes: [UInt8], _ problems: inout Problems) -> ConfigurationTree.Node? {
    if bytes.count > byteLimit {
      problems.add("the configuration is longer than \(byteLimit) bytes", at: 0, path: "")
      return nil
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      // Repaired text could be another key or another secret than the one that was meant.
      problems.add("not valid UTF-8", at: error.byteOffsets.lowerBound, path: "")
      return nil
    }
    do {
      var cursor = JSONCursor(bytes, maximalDepth: 16)
      let root = try ConfigurationTree.node(&cursor)
      try cursor.end()
      return root
    } catch let error as JSONError {
      problems.add(error)
    } catch { preconditionFailure("the cursor throws nothing else: \(error)") }
    return nil
  }

  private static func accounts(
    in top: KeyedValues, providers: [String: ProviderDefaults], _ shared: SharedSettings, _ problems: inout Problems
  ) -> [AccountSettings]? {
    guard let member = top["accounts"] else {
      problems.add("missing", at: top.offset, path: "accounts")
      return nil
    }
    guard case .object(let list) = member.value.content else {
      problems.add("expected an object, found \(member.value.content.kind)", at: member.value.offset, path: "accounts")
      return nil
    }
    return KeyedValues.unique(list, path: "accounts", &problems).compactMap {
      AccountSettings($0, providers: providers, shared, &problems)
    }
  }
}

/// The configuration's text as a tree that knows the place of each key and value.
///
/// A configuration is small, and every problem in it is wanted at once: so it is read whole before it is judged.
indirect enum ConfigurationTree {
  case object([Member])
  case array([Node])
  case string(String)
  /// As written.
  case number(String)
  case boolean(Bool)
  case null

  /// A value and the byte offset where it begins.
  struct Node {
    let offset: Int
    let content: ConfigurationTree
  }

  /// A key, the offset of its quotation mark, and its value.
  struct Member {
    let name: String
    let offset: Int
    let value: Node
  }

  /// What it is, for messages.
  var kind: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }

  /// Reads one value, and what lies in it.
  static func node(_ cursor: inout JSONCursor) throws -> Node {
    let kind = try cursor.peek()
    let offset = cursor.offset
    let content: ConfigurationTree
    switch kind {
    case .object: content = .object(try members(&cursor))
    case .array: content = .array(try cursor.list(node))
    case .string: content = .string(try cursor.string())
    case .number: content = .number(try cursor.numberText())
    case .boolean: content = .boolean(try cursor.boolean())
    case .null:
      _ = try cursor.null()
      content = .null
    }
    return Node(offset: offset, content: content)
  }

  private static func members(_ cursor: inout JSONCursor) throws -> [Member] {
    var members: [Member] = []
    // Between one value's end and the next key there are only white space and a comma: the key is at the next quotation mark.
    var end = cursor.offset
    try cursor.members { cursor, name in
      let offset = cursor.bytes[end...].firstIndex(of: UInt8(ascii: "\"")) ?? end
      members.append(Member(name: name.text, offset: offset, value: try node(&cursor)))
      end = cursor.offset
    }
    return members
  }
}
