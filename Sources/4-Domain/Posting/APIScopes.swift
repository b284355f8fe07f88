package import Timeline

/// The scopes (RFC 6749 §3.3) that a provider's API needs for timelines and for posting. They are named only here.
package struct APIScopes: Sendable {
  /// The uses of the API that need a scope beyond those for timelines.
  package enum Use: Sendable, Hashable, CaseIterable {
    case post, attachFiles, repost, like, bookmark, delete
    /// To set the read marks that the user's clients share.
    case setReadMarks

    /// - Parameter action: the action; `nil` for a post.
    package init(_ action: PostAction?) {
      switch action?.kind {
      case nil: self = .post
      case .delete: self = .delete
      case .repost: self = .repost
      case .like: self = .like
      case .bookmark: self = .bookmark
      }
    }
  }

  /// The scopes for the user and the home timeline.
  package let home: [String]
  /// The scope that the timelines of a kind need in addition to `home`.
  private let timelines: [TimelineName.Kind: String]
  /// The scope for each use that the provider offers.
  private let uses: [Use: String]
  /// The scope that includes all scopes for timelines, and the scope that includes all of `uses`, for servers without finer scopes. `nil` if there
  /// are none.
  private let whole: (timelines: String, uses: String)?

  package static let mastodon = APIScopes(
    home: ["read:accounts", "read:statuses"],
    timelines: [
      .list: "read:lists", .bookmarks: "read:bookmarks", .likes: "read:favourites",
      .notifications: "read:notifications", .mentions: "read:notifications",
    ],
    uses: [
      .post: "write:statuses", .repost: "write:statuses", .delete: "write:statuses", .attachFiles: "write:media",
      .like: "write:favourites", .bookmark: "write:bookmarks", .setReadMarks: "write:statuses",
    ],
    whole: ("read", "write"))

  /// X no longer lets self-serve applications like posts.
  package static let x = APIScopes(
    home: ["tweet.read", "users.read", "offline.access"],
    uses: [
      .post: "tweet.write", .repost: "tweet.write", .delete: "tweet.write", .attachFiles: "media.write",
      .bookmark: "bookmark.write",
    ])

  private init(
    home: [String], timelines: [TimelineName.Kind: String] = [:], uses: [Use: String],
    whole: (timelines: String, uses: String)? = nil
  ) {
    self.home = home
    self.timelines = timelines
    self.uses = uses
    self.whole = whole
  }

  /// Returns a configured provider's scopes; `nil` if its API needs no scopes for posting, or does not support posts.
  package static func of(_ provider: String) -> APIScopes? {
    switch provider {
    case "mastodon": .mastodon
    case "x": .x
    default: nil
    }
  }

  /// Returns the scopes for an account's timelines: those for its home timeline, those that timelines of other kinds need, and those for
  /// the account's other uses.
  package func reading(_ kinds: Set<TimelineName.Kind>, for others: [Use] = []) -> [String] {
    var scopes = home
    for kind in TimelineName.Kind.allCases where kinds.contains(kind) {
      if let scope = timelines[kind], !scopes.contains(scope) { scopes.append(scope) }
    }
    return scopes + lacking(others, scopes)
  }

  /// Returns the scope that timelines of a kind need in addition to those for the home timeline; `nil` if they need none.
  package func scope(for kind: TimelineName.Kind) -> String? { timelines[kind] }

  /// Returns the scope that a use needs; `nil` if the provider does not offer it.
  package func scope(for use: Use) -> String? { uses[use] }

  /// Returns the scopes that are missing for some uses.
  /// - Parameter granted: a token's scopes as the server wrote them. If it is empty, they are unknown, and no scope counts as missing.
  package func missing(for wanted: [Use], from granted: String?) -> [String] {
    let granted = (granted ?? "").split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    return granted.isEmpty ? [] : lacking(wanted, granted)
  }

  /// Returns the scopes to request for an account that also posts: the account's scopes, and the scopes for the uses that these do not
  /// include.
  /// - Parameter requested: the scopes that the account requests.
  package func withPosting(_ requested: [String]) -> [String] {
    let missing = lacking(Use.allCases, requested)
    // An account with coarse scopes is on a server that may know no others.
    if let whole, !missing.isEmpty, requested.contains(whole.timelines),
      !requested.contains(where: { $0.contains(":") })
    {
      return requested + [whole.uses]
    }
    return requested + missing
  }

  private func lacking(_ wanted: [Use], _ granted: [String]) -> [String] {
    var missing: [String] = []
    for use in wanted {
      guard let scope = uses[use], !Self.includes(scope, in: granted), !missing.contains(scope) else { continue }
      missing.append(scope)
    }
    return missing
  }

  /// Returns whether scopes include another one: as itself, or by the name before its colon, as `write` includes `write:media`.
  package static func includes(_ scope: String, in granted: some Sequence<String>) -> Bool {
    let whole = scope.firstIndex(of: ":").map { String(scope[..<$0]) }
    return granted.contains { $0 == scope || $0 == whole }
  }

  /// Returns the coarse scopes that include these, for a server without finer ones: `read` for `read:statuses`.
  package static func coarse(_ scopes: [String]) -> [String] {
    var result: [String] = []
    for scope in scopes {
      let whole = scope.firstIndex(of: ":").map { String(scope[..<$0]) } ?? scope
      if !result.contains(whole) { result.append(whole) }
    }
    return result
  }

  /// The scopes that make an OpenID provider identify the user and issue a refresh token (OpenID Connect Core §3.1.2.1, §5.4, §11).
  private static let openID = (required: "openid", optional: ["profile", "offline_access"])

  /// Returns the scopes to request from an OpenID provider if the account's configuration names none. Many providers refuse a request
  /// without scopes.
  /// - Parameter server: the scopes that the server lists; `nil` if it lists none.
  package static func proposed(by server: [String]?) -> [String] {
    [openID.required] + openID.optional.filter { server?.contains($0) ?? false }
  }

  /// Returns whether a request with these scopes asks for a refresh token, which requires the user's consent (OpenID Connect Core
  /// §11).
  package static func needConsent(_ scopes: [String]) -> Bool {
    scopes.contains("openid") && scopes.contains("offline_access")
  }

  /// Returns the scopes to request on a server that lists the scopes that it supports. An unlisted scope is replaced by the scope that
  /// includes it, if the server lists that.
  package static func supported(_ scopes: [String], by server: [String]?) -> [String] {
    guard let server else { return scopes }
    var result: [String] = []
    for scope in scopes {
      let whole = scope.firstIndex(of: ":").map { String(scope[..<$0]) }
      let chosen = if let whole, !server.contains(scope), server.contains(whole) { whole } else { scope }
      if !result.contains(chosen) { result.append(chosen) }
    }
    return result
  }
}
