internal import Bytes
internal import Timeline

/// An account's `timelines`: an object with the settings of each timeline by its name. The home timeline is always fetched, because the
/// account's commands and read marks refer to it, so it need not be named.
struct TimelineList {
  /// A timeline and its own values. A value that is nil comes from the account.
  fileprivate struct Element {
    let name: TimelineName
    /// The position of the name.
    let offset: Int
    var refreshSeconds: Int64?
    var keepPosts: Int?
    var firstFillPosts: Int?
    var keepDays: Int?
    var keepsArchive: Bool?
    var appliesServerFilters: Bool?
    var shared = SharedSettings()
  }

  private var elements: [Element] = []

  /// Reads the timelines. Returns nil if the account does not list any. All problems are reported.
  /// - Parameter endpoints: the addresses that replace the provider's own.
  init?(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, endpoints: [String: RequestURL],
    _ problems: inout Problems
  ) {
    let key = "timelines"
    guard let member = values[key],
      AccountSettings.hasTimeline(for: key, values, provider, defaults, &problems)
    else { return nil }
    guard case .object(let members) = member.value.content else {
      values.note("expected an object, found \(member.value.content.kind)", at: key, &problems)
      return nil
    }
    let path = values.path(of: key)
    let offer = Offer(provider: provider, defaults: defaults, home: endpoints["home_timeline"])
    for member in KeyedValues.unique(members, path: path, &problems) {
      let place = KeyedValues.join(path, member.name)
      do throws(TimelineNameError) {
        let name = try TimelineName(member.name)
        if let fault = offer.fault(of: name.kind) {
          problems.add(fault, at: member.offset, path: place)
        } else if let other = elements.first(where: { $0.name.isSame(as: name) }) {
          let position = problems.position(of: other.offset, seenFrom: member.offset)
          problems.add("the same timeline as \(other.name) at \(position)", at: member.offset, path: place)
        } else {
          elements.append(Element(name, member, path: place, provider: provider, defaults, &problems))
        }
      } catch { problems.add(offer.text(of: error), at: member.offset, path: place) }
    }
    checkCount(at: member, path: path, &problems)
    checkFiles(path: path, &problems)
  }

  /// Returns the timelines with their settings, the home timeline first.
  func settings(of account: AccountSettings) -> [TimelineSettings] {
    let home = elements.first { $0.name == .home } ?? Element(name: .home, offset: 0)
    return ([home] + elements.filter { $0.name != .home }).map { $0.settings(over: account.inherited(by: $0.name)) }
  }

  private func checkCount(at member: ConfigurationTree.Member, path: String, _ problems: inout Problems) {
    let others = elements.count { $0.name != .home }
    guard others >= ProgramDefaults.timelines else { return }
    problems.add(
      "has \(others + 1) timelines, including home; at most \(ProgramDefaults.timelines) are allowed",
      at: member.value.offset, path: path)
  }

  /// Reports timelines whose files would have the same names. The formats that a timeline does not publish count too, because their files
  /// are removed. A shortened stem ends with a hash and equals no other.
  private func checkFiles(path: String, _ problems: inout Problems) {
    var owners: [String: TimelineName] = [:]
    for element in elements {
      guard let stem = element.name.shortStem else { continue }
      let files = ["\(stem).json"] + PublishedFormat.allCases.map { $0.fileName(stem: stem) }
      if let file = files.first(where: { owners[$0] != nil }), let owner = owners[file] {
        problems.add(
          "its file \(DisplayText.plain(file)) would be a file of \(DisplayText.plain("\(owner)")) too: use the id of one of them, or "
            + "give it another name on the server", at: element.offset, path: KeyedValues.join(path, "\(element.name)"))
      }
      for file in files { owners[file] = owners[file] ?? element.name }
    }
  }
}

extension TimelineList {
  /// The timelines that an account can have.
  private struct Offer {
    let provider: String?
    let defaults: ProviderDefaults?
    /// The address that replaces the home timeline's.
    let home: RequestURL?

    /// Returns the reason for not offering a kind; nil if it is offered. Nothing is known about an unknown provider.
    func fault(of kind: TimelineName.Kind) -> String? {
      guard let provider, let defaults else { return nil }
      guard defaults.timelines.contains(kind) else {
        return "the provider \(provider) does not offer this timeline (it offers \(defaults.timelineForms))"
      }
      guard kind != .home, let end = defaults.endOfHomePath, let home else { return nil }
      if home.query == nil, home.path.hasSuffix(end) { return nil }
      return "its address is unknown, because endpoints.home_timeline does not end with \(end)"
    }

    /// Returns the message for an invalid name.
    func text(of error: TimelineNameError) -> String {
      switch error {
      case .unknownKind(let kind):
        let kinds = defaults?.timelines ?? TimelineName.Kind.allCases
        return "unknown kind of timeline \(DisplayText.quoted(kind))"
          + DisplayText.suggestion(for: kind, among: kinds.map(\.rawValue))
          + " (known: \(kinds.map(\.form).joined(separator: ", ")))"
      case .missingArgument(let kind), .needlessArgument(let kind): return fault(of: kind) ?? error.description
      case .empty, .tooLong, .controlCharacter, .hashSign, .missingAtSign: return error.description
      }
    }
  }
}

extension TimelineList {
  /// The keys of a timeline.
  static let keys =
    ["refresh_seconds", "keep_posts", "first_fill_posts", "keep_days", "keep_archive", "apply_server_filters"]
    + SharedSettings.keys

  /// The keys of accounts that a timeline cannot have, each with the reason.
  fileprivate static let refusals = Dictionary(
    uniqueKeysWithValues: Set(AccountSettings.keys).subtracting(keys).map {
      ($0, "applies to the whole account: move it there")
    })
}

extension TimelineList.Element {
  /// Reads a timeline's own values. Invalid values are reported and left out.
  fileprivate init(
    _ name: TimelineName, _ member: ConfigurationTree.Member, path: String, provider: String?,
    _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) {
    self.init(name: name, offset: member.offset)
    guard
      let values = KeyedValues(
        member.value, path: path, offset: member.offset, keys: TimelineList.keys, refusals: TimelineList.refusals,
        &problems)
    else { return }
    refreshSeconds = AccountSettings.refreshSeconds(values, provider: provider, defaults, &problems)
    keepPosts = AccountSettings.posts("keep_posts", values, provider: provider, defaults, &problems)
    firstFillPosts = AccountSettings.posts("first_fill_posts", values, provider: provider, defaults, &problems)
    keepDays = AccountSettings.keepDays(values, &problems)
    keepsArchive = values.boolean("keep_archive", &problems)
    shared = SharedSettings(values, besides: name.shortStem.map { "\($0).json" } ?? "the JSON file", &problems)
    appliesServerFilters = AccountSettings.serverFilters(values, provider: provider, &problems)
    if values.has("apply_server_filters"), provider == "mastodon", name.filterContext == nil {
      values.note("no filter applies to \(name): remove this setting", atKey: "apply_server_filters", &problems)
    }
  }

  fileprivate func settings(over inherited: TimelineSettings) -> TimelineSettings {
    var settings = inherited
    settings.refreshInterval = refreshSeconds.map { .seconds($0) } ?? inherited.refreshInterval
    settings.keepPosts = keepPosts ?? inherited.keepPosts
    settings.firstFillPosts = firstFillPosts ?? inherited.firstFillPosts
    settings.keepDays = keepDays ?? inherited.keepDays
    settings.keepsArchive = keepsArchive ?? inherited.keepsArchive
    settings.publish = shared.publish ?? inherited.publish
    settings.feedPosts = shared.feedPosts ?? inherited.feedPosts
    if shared.onNewPosts != nil { settings.onNewPosts = shared.program }
    settings.notifies = shared.notifies ?? inherited.notifies
    settings.appliesServerFilters = appliesServerFilters ?? inherited.appliesServerFilters
    return settings
  }
}
