internal import JSON
internal import Timeline

extension Configuration {
  /// The keys at the top level of the file.
  static let keys = ["callback", "accounts", "views", "media", "sandbox", "web", "protect"] + SharedSettings.keys

  /// Reads all files.
  ///
  /// - Throws: all problems in one error. If a file is not JSON, only that is reported.
  package init(
    reading texts: ConfigurationTexts, providers: [String: ProviderDefaults] = ProviderDefaults.known
  ) throws(SettingsError) {
    var problems = Problems()
    let root = texts.main.map { Self.tree($0, &problems) } ?? ConfigurationTree.Node.emptyObject
    let files = Self.accountFiles(texts, &problems)
    guard let root else { throw SettingsError(problems: problems.sorted) }
    let top = KeyedValues(root, path: "", offset: root.offset, keys: Self.keys, &problems)
    let callback = top?["callback"].flatMap { CallbackSettings($0, &problems) }
    let media = top?["media"].flatMap { MediaSettings($0, &problems) }
    let sandbox = top?["sandbox"].flatMap { SandboxSettings($0, &problems) }
    let web = top?["web"].flatMap { WebSettings($0, &problems) }
    let protection = top.flatMap { TokenProtection($0, &problems) }
    let shared = top.map { SharedSettings($0, &problems) } ?? SharedSettings()
    let members = top.map { Self.accountMembers(in: $0, files, &problems) } ?? []
    let accounts = members.compactMap { AccountSettings($0, providers: providers, shared, &problems) }
    // A file that is not JSON still has a name, and views can refer to it.
    let names = Set(members.map(\.name) + (texts.accounts ?? []).map(\.name)).sorted()
    let choice = ViewSettings.Choice(names: names, accounts: accounts, providers: providers)
    let views = top.map { Self.views(in: $0, of: choice, shared, &problems) }
    Self.checkRedirects(accounts, top?["callback"], callback, providers, &problems)
    guard problems.isEmpty else { throw SettingsError(problems: problems.sorted) }
    self.init(
      callback: callback ?? CallbackSettings(), accounts: accounts, views: views ?? [],
      media: media ?? MediaSettings(), sandbox: sandbox ?? SandboxSettings(), web: web,
      protection: protection ?? .files)
  }

  private static func tree(_ text: ConfigurationText, _ problems: inout Problems) -> ConfigurationTree.Node? {
    let start = problems.add(source: text)
    if text.bytes.count > byteLimit {
      problems.add("the configuration is longer than \(byteLimit) bytes", at: start, path: "")
      return nil
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text.bytes.span)
    } catch {
      // If invalid bytes were repaired, a key or secret could end up different from the intended one.
      problems.add("not valid UTF-8", at: start + error.byteOffsets.lowerBound, path: "")
      return nil
    }
    do {
      var cursor = JSONCursor(text.bytes, maximalDepth: 16)
      let root = try ConfigurationTree.node(&cursor, from: start)
      try cursor.end()
      return root
    } catch let error as JSONError {
      problems.add(error, inFileAt: start)
    } catch { preconditionFailure("the cursor throws nothing else: \(error)") }
    return nil
  }

  /// Returns the accounts in their own files, as members of `accounts`.
  private static func accountFiles(
    _ texts: ConfigurationTexts, _ problems: inout Problems
  ) -> [ConfigurationTree.Member] {
    var members: [ConfigurationTree.Member] = []
    for file in texts.accounts ?? [] {
      guard let root = tree(file.text, &problems) else { continue }
      members.append(ConfigurationTree.Member(name: file.name, offset: root.offset, value: root))
    }
    return members
  }

  /// Returns the accounts in `config.json`, then the accounts in their own files, each name once. A configuration without accounts is
  /// valid: a user can begin with other settings, and then log in.
  private static func accountMembers(
    in top: KeyedValues, _ files: [ConfigurationTree.Member], _ problems: inout Problems
  ) -> [ConfigurationTree.Member] {
    var list: [ConfigurationTree.Member] = []
    if let member = top["accounts"] {
      if case .object(let members) = member.value.content {
        list = members
      } else {
        problems.add(
          "expected an object, found \(member.value.content.kind)", at: member.value.offset, path: "accounts")
      }
    }
    return KeyedValues.unique(list + files, path: "accounts", &problems)
  }
}

extension Configuration {
  /// Returns the views in the order of the file.
  static func views(
    in top: KeyedValues, of choice: ViewSettings.Choice, _ shared: SharedSettings, _ problems: inout Problems
  ) -> [ViewSettings] {
    guard let member = top["views"] else { return [] }
    guard case .object(let list) = member.value.content else {
      problems.add("expected an object, found \(member.value.content.kind)", at: member.value.offset, path: "views")
      return []
    }
    if list.count > ProgramDefaults.views {
      problems.add(
        "has \(list.count) views; at most \(ProgramDefaults.views) are allowed", at: member.value.offset, path: "views")
    }
    return KeyedValues.unique(list, path: "views", &problems).compactMap {
      ViewSettings($0, of: choice, shared, &problems)
    }
  }
}

extension Configuration {
  /// Reports each enabled account whose provider compares the whole redirect address, if the port is random.
  static func checkRedirects(
    _ accounts: [AccountSettings], _ callback: ConfigurationTree.Member?, _ settings: CallbackSettings?,
    _ providers: [String: ProviderDefaults], _ problems: inout Problems
  ) {
    guard settings?.port == 0, let callback, case .object(let members) = callback.value.content,
      let port = members.first(where: { $0.name == "port" })
    else { return }
    for account in accounts where account.isEnabled && comparesRedirect(account, providers) {
      problems.add(
        "the provider \(account.provider) of the account \(account.name) requires an exact redirect URL: set callback.port",
        at: port.value.offset, path: "callback.port")
    }
  }

  /// Returns whether the account's provider compares the redirect address. A user's own server may have different rules.
  private static func comparesRedirect(_ account: AccountSettings, _ providers: [String: ProviderDefaults]) -> Bool {
    account.endpoints["authorize"] == nil && providers[account.provider]?.comparesRedirect == true
  }
}

extension Configuration {
  /// Returns what identifies the timelines in the files, such as the titles of lists. Files with errors are read as far as possible, because
  /// an error message may contain these texts.
  package static func namesOfTimelines(in texts: ConfigurationTexts) -> Set<String> {
    var problems = Problems()
    var accounts = accountFiles(texts, &problems)
    if let root = texts.main.flatMap({ tree($0, &problems) }) { accounts += members("accounts", of: root) }
    let names = accounts.flatMap { members("timelines", of: $0.value) }.map(\.name)
    return Set(
      names.compactMap { name in
        if TimelineName.Kind(rawValue: name) != nil { return nil }
        return name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
      })
  }

  private static func members(_ name: String, of node: ConfigurationTree.Node) -> [ConfigurationTree.Member] {
    guard case .object(let members) = node.content,
      case .object(let found)? = members.first(where: { $0.name == name })?.value.content
    else { return [] }
    return found
  }
}
