internal import Platform

/// Something published that is shown: an account's timeline, or a view's.
struct ShownSource: Sendable, Hashable {
  /// For messages, and beside posts of several accounts.
  let name: String
  /// The folder of its `home_timeline.json`.
  let folder: String
  /// Whether its posts came through several accounts, and each names its own.
  let isView: Bool

  static let fileName = "home_timeline.json"

  var path: String { "\(folder)/\(Self.fileName)" }
}
