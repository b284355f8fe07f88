internal import Dispatch
internal import Folders
internal import Platform
internal import Providers
package import PublishedFiles
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Publishes an account's known posts and its state, and decides when each file is written. Belongs to the account's queue.
// Sendable because all mutable state is accessed only on the account's queue.
package final class AccountPublisher: @unchecked Sendable {
  private let core: AccountCore
  private let store: AccountStore
  private let tokens: any TokenStorage
  /// Fetches the pictures of published pages; `nil` if no pictures are stored.
  package var pictures: (any PictureFetcher)?
  /// Whether the published files are known to match the database.
  private(set) var isPublished = false
  /// Fires when it is time to write the files whose writing was postponed.
  private var alarm: Alarm?

  init(of core: AccountCore, in store: AccountStore, _ tokens: any TokenStorage) {
    self.core = core
    self.store = store
    self.tokens = tokens
  }

  private var publisher: TimelinePublisher {
    let settings = core.settings
    return TimelinePublisher(
      core.files, tokens: tokens, provider: settings.provider, keepPosts: settings.keepPosts,
      feedPosts: settings.feedPosts, formats: settings.publish,
      budget: settings.prices == nil ? nil : settings.budget, media: core.shared.media)
  }

  /// Returns whether the published files can be left as they are, although the state has changed.
  /// - Parameter page: the page that is to be stored.
  func remainsValid(with state: AccountState, storing page: Page) -> Bool {
    let database = store.database
    return
      (try? publisher.remainsValid(with: state, of: database, isLikely: database.spans(of: .home).reach(above: page)))
      == true
  }

  // MARK: Publishing

  /// Reports an unusable database in the published file.
  func publishWithoutDatabase(_ failure: OperationError) -> OperationError? {
    do throws(PublishError) {
      try publisher.publish(Problem(code: .storage, message: failure.message), at: core.clock.now)
      return nil
    } catch { return OperationError(.inputOutput, "the problem could not be published: \(error)") }
  }

  /// Publishes the known posts and the state, including data that is not stored yet.
  /// - Parameter gathers: whether the writing of some files may be postponed, so that several refreshes share one write.
  @discardableResult
  private func publishAll(gathers: Bool) throws(PublishError) -> TimelinePublisher.Outcome {
    let unstored = store.unstored
    let state = unstored.state == nil && unstored.quiet == nil ? nil : store.knownState
    let now = core.clock.now
    do throws(PublishError) {
      return try publisher.publish(
        from: store.database, as: state, with: unstored.pages, gathers: gathers, mayBeTorn: !isPublished, at: now)
    } catch {
      // A disk without space for the unstored pages may still have space for the problem.
      guard case .file = error, !unstored.pages.isEmpty else { throw error }
      return try publisher.publish(from: store.database, as: state, gathers: gathers, mayBeTorn: true, at: now)
    }
  }

  /// Publishes the known posts and the state. If that fails, schedules another attempt.
  /// - Parameter gathers: whether the writing of some files may be postponed, so that several refreshes share one write; `false` if a user
  ///   is waiting.
  /// - Returns: the error if publishing failed. This error does not replace the job's outcome.
  package func publish(gathers: Bool = true) -> OperationError? {
    do throws(PublishError) {
      let outcome = try publishAll(gathers: gathers && core.shared.gathering > .zero)
      if let pictures = outcome.pictures { mediaWanted(urls: pictures) }
      isPublished = true
      if store.unstored.isEmpty { store.unstored.reason = nil }
      if outcome.concernsViews { core.shared.views.published(core.name) }
      if outcome.isBehind { publishGatheredSoon() }
      return nil
    } catch {
      if case .database(let error) = error, error.kind == .damaged { store.beginAnew(after: error) }
      isPublished = false
      let failure = OperationError(
        .inputOutput, "the timeline could not be published, so the previous file is kept: \(error)")
      store.unstored.reason = store.unstored.reason ?? failure.message
      store.retrySoon()
      return failure
    }
  }

  /// Applies changed settings to the published files, without waiting for the next refresh.
  func settingsWereChanged() {
    guard !store.isClosed, core.provider.hasTimeline, store.knownState.identity != nil else { return }
    publisher.settingsWereChanged(for: store.database)
    if let failure = publish(gathers: false) { core.log(.warning, failure.message) }
  }

  // MARK: Gathered files

  /// Schedules the writing of outdated files. All refreshes until then share one write.
  private func publishGatheredSoon() {
    guard alarm == nil, !store.isClosed else { return }
    alarm = try? Alarm(on: core.accountQueue.queue) { [weak self] in
      guard let self, !self.store.isClosed else { return }
      self.alarm = nil
      let isKnown = self.store.unstored.reason != nil
      if let failure = self.publish(gathers: false) { self.core.log(isKnown ? .debug : .warning, failure.message) }
    }
    if let alarm { alarm.set(.now + core.shared.gathering) } else { publishGathered() }
  }

  /// Immediately writes outdated and missing files, for a user who is waiting for them.
  /// - Returns: the error if writing failed.
  package func publishBehind() -> OperationError? {
    guard !store.isClosed,
      TimelinePublisher.isBehind(store.database) || store.knownState.identity != nil && lacksFiles
    else { return nil }
    return publish(gathers: false)
  }

  /// Writes outdated files before the database is closed.
  private func publishGathered() {
    guard TimelinePublisher.isBehind(store.database) else { return }
    do throws(PublishError) { try publishAll(gathers: false) } catch {
      isPublished = false
      core.log(.warning, "some published files will be out of date until the next start: \(error)")
    }
  }

  // MARK: Starts and ends of processes

  /// - Parameter isPublished: whether the previous process left complete files.
  func begin(isPublished: Bool) { self.isPublished = isPublished }

  /// Writes outdated files before the database is closed, and writes no more after that.
  func finish() {
    publishGathered()
    alarm?.set(nil)
    alarm = nil
  }

  /// Publishes the files again, because a kill or a power failure may have left them incomplete or older than the database.
  func restoreAfterUncleanEnd() {
    guard !store.isClosed, !isPublished, !core.shared.shutdown.isUnderWay else { return }
    // An account that was never authorised has nothing to publish.
    guard let state = try? store.database.state(), state.identity != nil else {
      isPublished = true
      return
    }
    if let failure = publish(gathers: false) {
      core.log(.warning, "the published files may be incomplete after an unclean shutdown: \(failure.message)")
    } else {
      isPublished = true
    }
  }

  /// Publishes the posts in the database again if a published file is missing. Sends no request.
  package func restorePublished() throws(PublishError) {
    guard lacksFiles else { return }
    let state: AccountState
    do throws(StorageError) { state = try store.state() } catch { throw .database(error) }
    // An account that was never authorised has nothing to publish.
    if state.identity != nil { try publishAll(gathers: false) }
  }

  /// Whether a file that is to be published does not exist.
  private var lacksFiles: Bool {
    core.provider.hasTimeline
      && (!File.exists(core.files.timeline)
        || core.settings.publish.contains { !File.exists(core.files.published(as: $0)) })
  }

  // MARK: Pictures

  /// Requests the pictures of a page that was just published. The page is published again once missing pictures have been fetched.
  ///
  /// Nothing is requested while the provider itself is unreachable, because other hosts are then unlikely to be reachable.
  /// - Parameters:
  ///   - urls: the avatars and pictures of the page, with the URLs of the newest posts first.
  ///   - owner: the account or view that the page belongs to, as ``MediaStore`` identifies it; `nil` for this account.
  package func mediaWanted(urls: [String], by owner: String? = nil) {
    guard let pictures, store.knownState[.home].problem?.code != .network else { return }
    pictures.wantPictures(urls, by: owner ?? Self.mediaOwner(core.name.text))
  }

  /// Rewrites the pages whose pictures were fetched after the pages were written.
  package func republish() {
    publisher.picturesWereStored(for: store.database)
    core.shared.views.picturesWereStored(through: core.name)
    if let failure = publish(gathers: false) {
      core.log(.info, "newly fetched pictures are not shown yet: \(failure.message)")
    }
  }

  /// Removes the account's claim on its pictures when it no longer has a published page.
  func forgetMedia() { core.shared.media?.forget(owner: Self.mediaOwner(core.name.text)) }

  /// The identifier of an account in the picture store.
  package static func mediaOwner(_ account: String) -> String { "account:\(account)" }
}

extension AccountSettings {
  /// Returns whether these settings and the given ones publish an account in the same way.
  func isPublished(like other: AccountSettings) -> Bool {
    publish == other.publish && keepPosts == other.keepPosts && feedPosts == other.feedPosts && budget == other.budget
      && provider == other.provider
  }
}
