internal import Platform
package import PublishedFiles

/// The objects shared by all accounts: the observers of results, the pictures, and the shutdown.
package struct SharedServices: Sendable {
  package let views: ViewUpdater
  package let announcer: Announcer
  /// The pictures of all accounts; `nil` if no pictures are stored.
  package let media: MediaStore?
  /// How long writing a file may be postponed, so that several refreshes share one write.
  let gathering: Duration
  let renderingQueues = QueuePool(label: "homeline.rendering", count: 4)
  package let changes = ContentChanges()
  package let shutdown = Shutdown()

  package init(views: ViewUpdater, announcer: Announcer, media: MediaStore?, gathering: Duration) {
    self.views = views
    self.announcer = announcer
    self.media = media
    self.gathering = gathering
  }
}
