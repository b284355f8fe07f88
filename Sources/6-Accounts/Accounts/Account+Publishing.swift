internal import Platform
internal import PublishedFiles
internal import Settings
internal import Timeline

/// The published files of all timelines of an account. Call on the account's queue, which also runs the completions.
extension Account {
  /// Whether the published files are known to match the database.
  var isPublished: Bool { timelines.values.allSatisfy(\.publisher.isPublished) }

  /// Whether a file is being rendered, or is to be rendered as soon as a queue is free.
  package var isRendering: Bool { timelines.values.contains(where: \.publisher.isRendering) }

  /// Publishes a timeline after a page of it was stored, and the other timelines whose posts this has changed.
  /// - Parameter completion: called once the files that are not postponed have been written, with the first failure.
  func publish(
    _ timeline: AccountTimeline, gathers: Bool = true, then completion: @escaping (OperationError?) -> Void = { _ in }
  ) {
    guard timelines.count > 1 else { return timeline.publisher.publish(gathers: gathers, then: completion) }
    withAll(
      {
        if $0 === timeline.publisher {
          $0.publish(gathers: gathers, then: $1)
        } else {
          $0.publishIfChanged(gathers: gathers, then: $1)
        }
      }, then: completion)
  }

  /// Publishes all timelines; see ``TimelinePublisher/publish(gathers:then:)``.
  /// - Parameter completion: called once the files that are not postponed have been written, with the first failure.
  package func publish(gathers: Bool = true, then completion: @escaping (OperationError?) -> Void) {
    withAll({ $0.publish(gathers: gathers, then: $1) }, then: completion)
  }

  /// Immediately writes outdated and missing files, for a user who is waiting for them.
  /// - Parameter completion: called once they have been written, with the first failure.
  package func publishBehind(then completion: @escaping (OperationError?) -> Void) {
    withAll({ $0.publishBehind(then: $1) }, then: completion)
  }

  /// Publishes the posts in the database again where a published file is missing. Sends no request.
  /// - Parameter completion: called once the files have been written, with the first failure.
  package func restorePublished(then completion: @escaping (OperationError?) -> Void) {
    withAll({ $0.restorePublished(then: $1) }, then: completion)
  }

  /// Publishes the files again, because a kill or a power failure may have left them incomplete or older than the database.
  func restoreAfterUncleanEnd() {
    for timeline in timelines.values { timeline.publisher.restoreAfterUncleanEnd() }
  }

  /// Applies changed settings to the published files of the timelines that they concern, without waiting for the next refresh.
  /// - Parameters:
  ///   - former: the settings before the change.
  ///   - done: called once the files have been written, and those of other formats removed.
  func publishAnew(unlike former: AccountSettings, then done: @escaping () -> Void) {
    let settings = settings
    withAll({ publisher, done in
      if Self.publish(publisher.name, alike: settings, former) { return done(nil) }
      publisher.settingsWereChanged { done(nil) }
    }) { _ in done() }
  }

  /// Writes outdated files before the database is closed.
  /// - Parameter done: called once no file is being written.
  func finishPublishing(then done: @escaping () -> Void) {
    for timeline in timelines.values { timeline.publisher.publishGathered() }
    whenRendered { failure in
      if let failure { self.log(.warning, failure.message) }
      done()
    }
  }

  /// Calls back when no published file is being rendered, with the failure of a timeline's last rendering.
  package func whenRendered(_ body: @escaping (OperationError?) -> Void) {
    withAll({ $0.whenRendered($1) }) { failure in
      // Another rendering of one timeline may have begun while those of another ended.
      if self.isRendering { self.whenRendered(body) } else { body(failure) }
    }
  }

  /// Does work on the published files of all timelines, even if that of one fails.
  /// - Parameters:
  ///   - body: does the work of one timeline, then calls its second argument on the account's queue with the failure.
  ///   - completion: called once all of it has been done, with the first failure.
  private func withAll(
    _ body: (TimelinePublisher, @escaping (OperationError?) -> Void) -> Void,
    then completion: @escaping (OperationError?) -> Void
  ) {
    let work = UnfinishedWork()
    var first: OperationError?
    for timeline in timelines.values {
      work.begin()
      body(timeline.publisher) { failure in
        first = first ?? failure
        work.end()
      }
    }
    work.whenDone { completion(first) }
  }

  /// Rewrites the pages whose pictures were fetched after the pages were written.
  package func republish() {
    core.shared.views.picturesWereStored(through: name)
    for timeline in timelines.values where timeline.publisher.showsPictures { timeline.publisher.republish() }
  }

  /// Removes the claims of the account's pages on its pictures.
  package func forgetMedia() { for timeline in timelines.values { timeline.publisher.forgetMedia() } }

  /// Returns whether an account's settings publish a timeline in the same way as other settings.
  private static func publish(
    _ timeline: TimelineName, alike settings: AccountSettings, _ other: AccountSettings
  ) -> Bool {
    let (own, others) = (settings[timeline], other[timeline])
    return other.timelines.contains(timeline) == settings.timelines.contains(timeline) && own.publish == others.publish
      && own.keepPosts == others.keepPosts && own.feedPosts == others.feedPosts && settings.budget == other.budget
      && settings.provider == other.provider
  }
}
