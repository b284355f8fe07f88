internal import Providers
internal import Scheduling
internal import Storage
internal import Timeline

/// The steps of a walk through the user's marks, such as bookmarks (``MarkWalk``).
extension PageJob {
  /// Takes a page of a walk below the newest one. Its posts are not stored: those that are not known yet have no position.
  func takeStep(_ fetched: PageResponse.Fetched?, _ settlement: Settlement?) throws(StorageError) {
    if let fetched { try timeline.takeStep(fetched) } else { timeline.abandonWalk() }
    _ = try timeline.storePage(Page(entries: [], older: nil), as: .single, settling: settlement) { state in
      timeline.note(nil, .served(hasMore: false), limit: limit, after: requests, of: work, in: &state)
    }
    account.store.clearLog()
    report(.refreshed(new: 0))
  }

  /// Ends the walk, continues it, or begins one that is due, after the newest page or a missing page was stored.
  /// - Parameter hasEnded: whether the walk's result was stored with the page.
  func goOnWalking(after fetched: PageResponse.Fetched?, hasEnded: Bool) throws(StorageError) {
    if hasEnded { timeline.walk = nil } else if isWalkStep { timeline.abandonWalk() }
    if isNewest, let fetched { try timeline.followWalk(fetched) }
  }

  /// Returns whether a problem ends only the walk. Otherwise, a service repeats the step later. A command has refreshed what its user
  /// wanted.
  func endsOnlyWalk(_ problem: Problem) -> Bool {
    isWalkStep && (RefreshOutcome(problem).isFinal || !account.core.isInService)
  }

  /// Ends a walk whose request failed. The next refresh shows whether the timeline is refused too.
  func abandonWalk() {
    timeline.abandonWalk()
    report(.refreshed(new: 0)) {
      self.storeAndPublish(
        {
          self.timeline.note(
            nil, .served(hasMore: false), limit: self.limit, after: self.requests, of: self.work, in: &$0)
        }, then: $0)
    }
  }
}
