extension Configuration {
  /// The views of the file, in its order.
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
        "has \(list.count) views; \(ProgramDefaults.views) at most", at: member.value.offset, path: "views")
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
