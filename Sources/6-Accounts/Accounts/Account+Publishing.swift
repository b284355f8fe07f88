package import PublishedFiles
internal import Timeline

/// The published files of all timelines of an account. Call on the account's queue.
extension Account {
  /// Whether the published files are known to match the database.
  var isPublished: Bool { timelines.values.allSatisfy(\.publisher.isPublished) }

  /// Publishes all timelines; see ``AccountPublisher/publish(gathers:)``.
  /// - Returns: an error if publishing one of them failed.
  package func publish(gathers: Bool = true) -> OperationError? {
    firstFailure { $0.publish(gathers: gathers) }
  }

  /// Immediately writes outdated and missing files, for a user who is waiting for them.
  /// - Returns: an error if writing one of them failed.
  package func publishBehind() -> OperationError? { firstFailure { $0.publishBehind() } }

  /// Publishes the posts in the database again where a published file is missing. Sends no request.
  package func restorePublished() throws(PublishError) {
    for timeline in timelines.values { try timeline.publisher.restorePublished() }
  }

  /// Publishes the files again, because a kill or a power failure may have left them incomplete or older than the database.
  func restoreAfterUncleanEnd() {
    for timeline in timelines.values { timeline.publisher.restoreAfterUncleanEnd() }
  }

  /// Works on all timelines, even if one of them fails.
  private func firstFailure(_ body: (AccountPublisher) -> OperationError?) -> OperationError? {
    timelines.values.compactMap { body($0.publisher) }.first
  }
}
