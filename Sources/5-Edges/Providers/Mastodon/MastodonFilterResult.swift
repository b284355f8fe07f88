internal import JSON
internal import Time
internal import Timeline

/// A FilterResult: one of the user's filters that matches a post, or as much of it as could be read.
struct MastodonFilterResult {
  private var title = ""
  /// The kinds of timelines that the user chose; `nil` if the server does not report them.
  private var contexts: [String]?
  private var expiresAt: Timestamp?
  private var action: String?
  private var isFilter = false

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      if name == "filter" { try readFilter(&cursor) } else { try cursor.skip() }
    }
  }

  private mutating func readFilter(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      isFilter = true
      switch name {
      case "title": title = try cursor.lenientString() ?? title
      case "context": try readContexts(&cursor)
      case "expires_at": expiresAt = try cursor.lenientString().flatMap { Timestamp(rfc3339: $0) } ?? expiresAt
      case "filter_action": action = try cursor.lenientString() ?? action
      default: try cursor.skip()
      }
    }
  }

  private mutating func readContexts(_ cursor: inout JSONCursor) throws {
    guard try cursor.peek() == .array else {
      try cursor.skip()
      return
    }
    var contexts: [String] = []
    try cursor.elements { cursor in if let context = try cursor.lenientString() { contexts.append(context) } }
    self.contexts = contexts
  }

  private func applies(in scope: FilterScope) -> Bool {
    isFilter && contexts?.contains(scope.context.rawValue) ?? true && expiresAt.map { $0 > scope.time } ?? true
  }

  /// Returns the common effect of the filters that apply: the strictest action, and the titles of the filters that demand it.
  ///
  /// An unknown action counts as a warning, as in Mastodon's clients: the user wants to decide before seeing the post.
  static func effect(of results: [MastodonFilterResult], in scope: FilterScope) -> ServerFilter? {
    if results.isEmpty { return nil }
    let applying = results.filter { $0.applies(in: scope) }
    func title(_ action: ServerFilter.Action) -> String? {
      var titles: [String] = []
      for result in applying where (result.action.flatMap { ServerFilter.Action(rawValue: $0) } ?? .warn) == action {
        if !titles.contains(result.title) { titles.append(result.title) }
      }
      return titles.isEmpty ? nil : titles.filter { !$0.isEmpty }.joined(separator: ", ")
    }
    for action in [ServerFilter.Action.hide, .warn, .blur] {
      if let title = title(action) { return ServerFilter(action, title: title) }
    }
    return nil
  }
}
