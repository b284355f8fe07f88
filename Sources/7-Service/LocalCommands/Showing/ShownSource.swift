/// The published timeline of an account or a view, to be shown.
package struct ShownSource: Sendable, Hashable {
  /// The name for messages, and next to posts from several accounts.
  package let name: String
  /// The folder that contains its `home_timeline.json`.
  package let folder: String
  /// Whether the source is a view. Its posts can come from several accounts, so each post contains its account.
  package let isView: Bool

  static let fileName = "home_timeline.json"

  package var path: String { "\(folder)/\(Self.fileName)" }
}
