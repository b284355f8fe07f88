internal import Store

/// What accounts have in common beside their providers: where what came of their work goes, beside those who asked for it, and their end.
struct Outlets: Sendable {
  let views: ViewDesk
  let announcer: Announcer
  /// The pictures of all accounts; `nil` where none are kept.
  let media: MediaStore?
  let shutdown = Shutdown()
}
