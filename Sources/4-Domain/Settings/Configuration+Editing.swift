internal import JSON

extension Configuration {
  /// Returns the text of a configuration with a different value of `protect`. The rest of the text, including white space, is unchanged.
  /// - Returns: `nil` unless the result is a configuration that differs only in this value.
  package static func text(_ texts: ConfigurationTexts, setting protection: TokenProtection) -> [UInt8]? {
    let value = "\"\(protection.rawValue)\""
    let main = texts.main?.bytes ?? Array("{\n}\n".utf8)
    guard var expected = try? Configuration(reading: texts),
      let text = MemberEdit(main)?.setting(["protect"], to: value)
    else { return nil }
    expected.protection = protection
    var changed = texts
    changed.main = ConfigurationText(path: texts.main?.path, text)
    return (try? Configuration(reading: changed)) == expected ? text : nil
  }

  /// Returns the files with a different value of an account's `enabled`. Everything else is left unchanged.
  /// - Returns: `nil` unless the result is a configuration that differs as requested.
  package static func texts(
    _ texts: ConfigurationTexts, enabling isEnabled: Bool, _ account: AccountName
  ) -> ConfigurationTexts? {
    guard let changed = self.texts(texts, setting: "enabled", of: account, to: "\(isEnabled)"),
      let result = try? Configuration(reading: changed), result[account]?.isEnabled == isEnabled
    else { return nil }
    return changed
  }

  /// Returns the files with different scopes of an account. Everything else is left unchanged.
  /// - Returns: `nil` unless the result is a configuration that differs as requested.
  package static func texts(
    _ texts: ConfigurationTexts, setting scopes: [String], of account: AccountName
  ) -> ConfigurationTexts? {
    // A scope contains no characters that JSON escapes (RFC 6749 §3.3); reading the result checks this.
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let changed = self.texts(texts, setting: "scopes", of: account, to: "[\(list)]"),
      let result = try? Configuration(reading: changed), result[account]?.scopes == scopes
    else { return nil }
    return changed
  }

  /// Returns the files with a different value of a member of an account; `nil` if the account cannot be found.
  private static func texts(
    _ texts: ConfigurationTexts, setting member: String, of account: AccountName, to value: String
  ) -> ConfigurationTexts? {
    var changed = texts
    if let index = texts.accounts?.firstIndex(where: { $0.name == account.text }) {
      guard let file = texts.accounts?[index].text, let text = MemberEdit(file.bytes)?.setting([member], to: value)
      else { return nil }
      changed.accounts?[index].text.bytes = text
    } else {
      guard let main = texts.main,
        let text = MemberEdit(main.bytes)?.setting(["accounts", account.text, member], to: value)
      else { return nil }
      changed.main?.bytes = text
    }
    return changed
  }

  /// Returns the files without an account. Views that list it or its timelines with other accounts no longer list them. Everything else is
  /// left unchanged.
  /// - Returns: `nil` if the account cannot be found.
  package static func texts(_ texts: ConfigurationTexts, removing account: AccountName) -> ConfigurationTexts? {
    var texts = texts
    if let main = texts.main { texts.main?.bytes = withoutViewEntries(of: account, in: main.bytes) }
    var changed = texts
    if let index = texts.accounts?.firstIndex(where: { $0.name == account.text }) {
      changed.accounts?.remove(at: index)
      return changed
    }
    guard let main = texts.main, let text = MemberEdit(main.bytes)?.removing(["accounts", account.text]) else {
      return nil
    }
    changed.main?.bytes = text
    return changed
  }

  /// Returns the text of `config.json` without the account and its timelines in the lists of views that also contain others.
  private static func withoutViewEntries(of account: AccountName, in text: [UInt8]) -> [UInt8] {
    var text = text
    for view in MemberEdit(text)?.names(in: "views") ?? [] {
      while let shorter = MemberEdit(text)?.removing(
        fromList: ["views", view, "accounts"], where: { TimelineKey.parts(of: $0).account == account.text })
      {
        text = shorter
      }
    }
    return text
  }
}

/// Changes one member of a JSON text and leaves everything else unchanged.
private struct MemberEdit {
  private let text: [UInt8]
  private let root: ConfigurationTree.Node

  /// Parses text; `nil` if it is not JSON.
  init?(_ text: [UInt8]) {
    var cursor = JSONCursor(text, maximalDepth: 16)
    guard let root = try? ConfigurationTree.node(&cursor) else { return nil }
    self.text = text
    self.root = root
  }

  /// Sets a member. If it does not exist, adds it before the others, with the same white space as they have.
  /// - Parameter path: the names of the objects that contain the member, followed by its own name.
  /// - Returns: `nil` if there is no such object.
  func setting(_ path: [String], to value: String) -> [UInt8]? {
    guard let name = path.last, let (object, members) = object(at: path.dropLast()) else { return nil }
    var changed = text
    if let member = members.first(where: { $0.name == name }) {
      changed.replaceSubrange(member.value.offset..<member.value.end, with: value.utf8)
      return changed
    }
    let start = object.offset + 1
    if let first = members.first {
      changed.insert(contentsOf: text[start..<first.offset] + Array("\"\(name)\": \(value),".utf8), at: start)
    } else {
      changed.insert(contentsOf: "\n  \"\(name)\": \(value)".utf8, at: start)
    }
    return changed
  }

  /// Removes a member and its comma.
  func removing(_ path: [String]) -> [UInt8]? {
    guard let name = path.last, let (_, members) = object(at: path.dropLast()),
      let index = members.firstIndex(where: { $0.name == name })
    else { return nil }
    return removing(index, of: members.map { $0.offset..<$0.value.end })
  }

  /// Removes the first string that fulfils a condition, and its comma, from a list.
  /// - Parameter path: the names of the objects that contain the list, followed by its own name.
  /// - Returns: `nil` if there is no such list, or if none or all of its elements fulfil the condition.
  func removing(fromList path: [String], where isRemoved: (String) -> Bool) -> [UInt8]? {
    guard let name = path.last, let (_, members) = object(at: path.dropLast()),
      case .array(let nodes)? = members.first(where: { $0.name == name })?.value.content
    else { return nil }
    let removed = nodes.indices.filter { index in
      if case .string(let text) = nodes[index].content { isRemoved(text) } else { false }
    }
    guard let index = removed.first, removed.count < nodes.count else { return nil }
    return removing(index, of: nodes.map { $0.offset..<$0.end })
  }

  /// Returns the names of the members of a top-level object.
  func names(in member: String) -> [String] { object(at: [member])?.members.map(\.name) ?? [] }

  /// Removes one of several comma-separated parts, with its comma.
  private func removing(_ index: Int, of parts: [Range<Int>]) -> [UInt8] {
    var changed = text
    if index > 0 {
      changed.removeSubrange(parts[index - 1].upperBound..<parts[index].upperBound)
    } else if parts.count > 1 {
      changed.removeSubrange(parts[0].lowerBound..<parts[1].lowerBound)
    } else {
      changed.removeSubrange(parts[0])
    }
    return changed
  }

  private func object(
    at path: ArraySlice<String>
  ) -> (node: ConfigurationTree.Node, members: [ConfigurationTree.Member])? {
    var node = root
    for name in path {
      guard case .object(let members) = node.content, let member = members.first(where: { $0.name == name }) else {
        return nil
      }
      node = member.value
    }
    guard case .object(let members) = node.content else { return nil }
    return (node, members)
  }
}
