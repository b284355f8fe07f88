internal import HomelineOAuth
internal import JSON
internal import Timeline

extension Configuration {
  /// The keys at the top level of the file.
  static let keys = ["callback", "accounts", "views", "media", "sandbox", "protect"] + SharedSettings.keys

  /// Reads the text of `config.json`.
  ///
  /// - Throws: all problems in one error; invalid JSON is reported alone.
  package init(
    reading bytes: [UInt8], providers: [String: ProviderDefaults] = ProviderDefaults.known
  ) throws(SettingsError) {
    var problems = Problems(in: bytes)
    guard let root = Self.tree(bytes, &problems) else { throw SettingsError(problems: problems.sorted) }
    let top = KeyedValues(root, path: "", offset: root.offset, keys: Self.keys, &problems)
    let callback = top?["callback"].flatMap { CallbackSettings($0, &problems) }
    let media = top?["media"].flatMap { MediaSettings($0, &problems) }
    let sandbox = top?["sandbox"].flatMap { SandboxSettings($0, &problems) }
    let protection = top.flatMap { TokenProtection($0, &problems) }
    let shared = top.map { SharedSettings($0, &problems) } ?? SharedSettings()
    let accounts = top.flatMap { Self.accounts(in: $0, providers: providers, shared, &problems) }
    let views = top.map {
      Self.views(in: $0, accounts: accounts ?? [], providers: providers, shared, &problems)
    }
    Self.checkRedirects(accounts ?? [], top?["callback"], callback, providers, &problems)
    guard problems.isEmpty else { throw SettingsError(problems: problems.sorted) }
    self.init(
      callback: callback ?? CallbackSettings(), accounts: accounts ?? [], views: views ?? [],
      media: media ?? MediaSettings(), sandbox: sandbox ?? SandboxSettings(),
      protection: protection ?? .files)
  }

  private static func tree(_ bytes: [UInt8], _ problems: inout Problems) -> ConfigurationTree.Node? {
    if bytes.count > byteLimit {
      problems.add("the configuration is longer than \(byteLimit) bytes", at: 0, path: "")
      return nil
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      // Repaired text could be a different key or secret than the intended one.
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

extension Configuration {
  /// The views in the file, in its order.
  static func views(
    in top: KeyedValues, accounts: [AccountSettings], providers: [String: ProviderDefaults], _ shared: SharedSettings,
    _ problems: inout Problems
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
    let choice = ViewSettings.Choice(names: accountNames(in: top), accounts: accounts, providers: providers)
    return KeyedValues.unique(list, path: "views", &problems).compactMap {
      ViewSettings($0, of: choice, shared, &problems)
    }
  }

  private static func accountNames(in top: KeyedValues) -> [String] {
    guard case .object(let list)? = top["accounts"]?.value.content else { return [] }
    return Set(list.map(\.name)).sorted()
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
        "the provider \(account.provider) of the account \(account.name) requires an exact redirect address: set callback.port",
        at: port.value.offset, path: "callback.port")
    }
  }

  /// A user's own server may have different rules.
  private static func comparesRedirect(_ account: AccountSettings, _ providers: [String: ProviderDefaults]) -> Bool {
    account.endpoints["authorize"] == nil && providers[account.provider]?.comparesRedirect == true
  }
}
