internal import Posting

/// How servers with a particular software handle a post. They all implement Mastodon's API.
///
/// Each row of ``known`` has a recorded description. Only what a server is known to keep is promised: for unknown software, that is public
/// posts.
struct MastodonDialect: Sendable {
  /// A sign of the software in a server's description.
  enum Sign: Sendable {
    /// The version contains a string that is followed by this number or a larger one.
    case version(String, from: MastodonSoftware.Numbers = .init(0, 0))
    /// The URL of the source code contains a string.
    case source(String)
    /// The version is one of Mastodon's, with no addition such as `(compatible; …)`, and the source code is Mastodon's or a fork's.
    case mastodon

    func isShown(by software: MastodonSoftware) -> Bool {
      switch self {
      case .version(let text, let least):
        software.version.firstRange(of: text).map {
          MastodonSoftware.Numbers(software.version[$0.upperBound...]) >= least
        } ?? false
      case .source(let text): software.source.contains(text)
      case .mastodon:
        software.numbers.major >= 3 && !software.version.contains("(")
          && (software.source.isEmpty || software.source.contains("mastodon") || software.reportsAPIVersion)
      }
    }
  }

  /// The unit of a post's length.
  enum Length: Sendable { case codePoints, graphemes, mastodon }

  let name: String
  let signs: [Sign]
  /// How long a server remembers an idempotency key; `nil` if it ignores keys. A server that ignores a key could publish a post twice.
  var keyLifetime: Duration?
  /// The visibilities that a server honours. It silently replaces the others.
  var visibilities = Set(PostVisibility.allCases)
  var keepsWarnings = true
  var keepsLanguages = true
  var length = Length.mastodon
  /// Whether a reply to a missing post becomes a separate post.
  var ignoresUnknownReplyTargets = false
  /// A description as a server sent it, shortened to the parts that show the software.
  let recorded: String

  /// The rows. The first row with a sign in a server's description applies.
  static let known = [
    MastodonDialect(
      name: "snac", signs: [.version("snac/", from: .init(2, 84))], length: .codePoints,
      ignoresUnknownReplyTargets: true, recorded: #"{"version":"4.0.0 (not true; really snac/2.94)"}"#),
    // It shows unlisted posts to everyone, and direct posts to all followers.
    MastodonDialect(
      name: "snac", signs: [.version("snac")], visibilities: [.everyone, .followers], length: .codePoints,
      ignoresUnknownReplyTargets: true, recorded: #"{"version":"4.0.0 (not true; really snac/2.75)"}"#),
    MastodonDialect(
      name: "Akkoma", signs: [.version("akkoma")], keyLifetime: .seconds(3600), length: .graphemes,
      recorded: #"{"version":"2.7.2 (compatible; Akkoma 3.16.0-0-g0000000)"}"#),
    MastodonDialect(
      name: "Pleroma", signs: [.version("pleroma")], keyLifetime: .seconds(3600), length: .graphemes,
      recorded: #"{"version":"2.7.2 (compatible; Pleroma 2.9.1)"}"#),
    // The plugin Enable Mastodon Apps.
    MastodonDialect(
      name: "WordPress", signs: [.version("wordpress/")], visibilities: [.everyone], keepsWarnings: false,
      keepsLanguages: false,
      recorded:
        #"{"version":"WordPress/6.1.9, EMA/1.6.1","source_url":"https://core.trac.wordpress.org/browser/trunk"}"#),
    MastodonDialect(
      name: "GoToSocial", signs: [.source("gotosocial"), .version("gotosocial")], length: .codePoints,
      recorded:
        #"{"version":"0.20.0-rc1+git-57cb4fe","source_url":"https://codeberg.org/superseriousbusiness/gotosocial"}"#),
    MastodonDialect(
      name: "Mastodon", signs: [.mastodon, .version("+hometown")], keyLifetime: .seconds(3600),
      recorded:
        #"{"version":"4.5.2","source_url":"https://github.com/mastodon/mastodon","api_versions":{"mastodon":7}}"#),
  ]

  /// Returns the row of a server's software; `nil` if no row describes it.
  static func of(_ software: MastodonSoftware) -> MastodonDialect? {
    known.first { $0.signs.contains { $0.isShown(by: software) } }
  }
}
