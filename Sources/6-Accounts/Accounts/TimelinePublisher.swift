internal import Dispatch
package import Folders
internal import Formats
internal import Platform
internal import Providers
internal import PublishedFiles
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Publishes the known posts and the state of a timeline, and decides when each file is written. Belongs to the account's queue, which
/// writes the JSON file; the other formats are rendered on shared queues.
// Sendable because all mutable state is accessed only on the account's queue.
package final class TimelinePublisher: @unchecked Sendable {
  private let core: AccountCore
  private let store: AccountStore
  private let tokens: any TokenStorage
  private var settings: TimelineSettings
  private var writer: TimelineFilesWriter
  private let pictures: AccountPictures
  let name: TimelineName
  /// The paths of the timeline's published files.
  package let files: TimelineFiles
  let renderer: TimelineRenderer
  /// Whether the published files are known to match the database.
  private(set) var isPublished = false
  /// The number of unread posts in the published file, which other queues read too.
  private let lastUnread = Locked<Int?>(nil)
  /// Fires when it is time to write the files whose writing was postponed.
  private var alarm: Alarm?
  /// Whether the last rendering was repeated because its `home_timeline.json` was no longer there.
  private var hasRepeated = false

  init(
    _ settings: TimelineSettings, as files: TimelineFiles, of core: AccountCore, in store: AccountStore,
    _ tokens: any TokenStorage, pictures: AccountPictures
  ) {
    self.pictures = pictures
    self.settings = settings
    writer = Self.writer(settings, files, core, tokens)
    name = settings.name
    self.files = files
    self.core = core
    self.store = store
    self.tokens = tokens
    renderer = TimelineRenderer(on: core.shared.renderingQueues, for: core.accountQueue.queue)
    renderer.onEnd = { [weak self] in self?.rendered($0, isLast: $1) }
  }

  private static func writer(
    _ settings: TimelineSettings, _ files: TimelineFiles, _ core: AccountCore, _ tokens: any TokenStorage
  ) -> TimelineFilesWriter {
    let account = core.settings
    return TimelineFilesWriter(
      core.files, of: settings.name, as: files, tokens: tokens, provider: account.provider,
      keepPosts: settings.keepPosts, feedPosts: settings.feedPosts, formats: settings.publish,
      budget: account.prices == nil ? nil : account.budget, media: core.shared.media)
  }

  /// Adopts the account's new settings for the files that are written from now on.
  func adopt(_ settings: TimelineSettings) {
    self.settings = settings
    writer = Self.writer(settings, files, core, tokens)
  }

  /// The identifier of the timeline's page in the picture store.
  private var mediaOwner: String { MediaStore.owner(core.name.text, name) }

  /// Returns whether the published files can be left as they are, although the state has changed.
  /// - Parameter page: the page that is to be stored.
  func remainsValid(with state: AccountState, storing page: Page) -> Bool {
    let database = store.database
    return
      (try? writer.remainsValid(with: state, of: database, isLikely: database.spans(of: name).reach(above: page)))
      == true
  }

  // MARK: Publishing

  /// Reports an unusable database in the published files.
  /// - Parameter completion: called once the files have been written, with the error if publishing failed.
  func publishWithoutDatabase(_ failure: OperationError, then completion: @escaping (OperationError?) -> Void) {
    if hasEnded { return completion(nil) }
    do throws(PublishError) {
      let problem = Problem(code: .storage, message: failure.message)
      if let rendering = try writer.publish(problem, at: core.clock.now)?.rendering { renderer.submit(rendering) }
    } catch { return completion(OperationError(.inputOutput, "the problem could not be published: \(error)")) }
    whenRendered(completion)
  }

  /// Publishes the known posts and the state, including data that is not stored yet.
  /// - Parameter gathers: whether the writing of some files may be postponed, so that several refreshes share one write.
  @discardableResult
  private func publishAll(gathers: Bool) throws(PublishError) -> TimelineFilesWriter.Outcome {
    let unstored = store.unstored
    let state = unstored.state == nil && unstored.quiet == nil ? nil : store.knownState
    let publish = { (pages: [UnstoredPage], mayBeTorn: Bool) throws(PublishError) -> TimelineFilesWriter.Outcome in
      try self.writer.publish(
        from: self.store.database, as: state, with: pages, gathers: gathers, mayBeTorn: mayBeTorn,
        unfinished: self.renderer.unfinished, at: self.core.clock.now)
    }
    let outcome: TimelineFilesWriter.Outcome
    do throws(PublishError) { outcome = try publish(unstored.pages, !isPublished) } catch {
      // A disk without space for the unstored pages may still have space for the problem.
      guard case .file = error, !unstored.pages.isEmpty else { throw error }
      outcome = try publish([], true)
    }
    lastUnread.withLock { $0 = outcome.unread }
    if let posts = outcome.changed {
      core.shared.changes.report(
        .timeline(
          TimelineKey(account: core.name, timeline: name),
          PublishedSummary(posts, of: core.name.text, unread: outcome.unread)))
    }
    if let rendering = outcome.rendering { renderer.submit(rendering) }
    return outcome
  }

  /// Publishes the known posts and the state. If that fails, schedules another attempt.
  /// - Parameters:
  ///   - gathers: whether the writing of some files may be postponed, so that several refreshes share one write; `false` if a user is
  ///     waiting.
  ///   - completion: called once the files that are not postponed have been written, with the error if publishing failed. This error does
  ///     not replace the job's outcome.
  package func publish(gathers: Bool = true, then completion: @escaping (OperationError?) -> Void = { _ in }) {
    if let failure = publishTimeline(gathers: gathers) { completion(failure) } else { whenRendered(completion) }
  }

  /// Publishes the timeline, and begins to render the other formats.
  private func publishTimeline(gathers: Bool) -> OperationError? {
    if hasEnded { return nil }
    do throws(PublishError) {
      let outcome = try publishAll(gathers: gathers && core.shared.gathering > .zero)
      if outcome.concernsViews { core.shared.views.published(TimelineKey(account: core.name, timeline: name)) }
      if outcome.isBehind { publishGatheredSoon() }
      if !isRendering { allWereWritten() }
      return nil
    } catch {
      if case .database(let error) = error, error.kind == .damaged { store.beginAnew(after: error) }
      return failed(error)
    }
  }

  private func allWereWritten() {
    isPublished = true
    store.unstored.unpublished[name] = nil
    if store.unstored.isEmpty { store.unstored.failure = nil }
  }

  /// The timeline as a sentence about it begins.
  private var subject: String { name == .home ? "the timeline" : "the timeline \(name)" }

  private func failed(_ error: any Error) -> OperationError {
    isPublished = false
    let failure = OperationError(
      .inputOutput, "\(subject) could not be published, so the previous file is kept: \(error)")
    store.unstored.unpublished[name] = store.unstored.unpublished[name] ?? failure.message
    store.retrySoon()
    return failure
  }

  /// Applies changed settings to the published files, without waiting for the next refresh.
  /// - Parameter done: called once the files have been written, and those of other formats removed.
  func settingsWereChanged(then done: @escaping () -> Void) {
    guard !store.isClosed, core.provider.hasTimeline, hasContent(store.knownState) else { return done() }
    writer.settingsWereChanged(for: store.database)
    publish(gathers: false) { failure in
      if let failure { self.core.log(.warning, failure.message) }
      done()
    }
  }

  // MARK: Rendered files

  /// Records the result of a rendering.
  private func rendered(_ outcome: RenderingOutcome, isLast: Bool) -> OperationError? {
    guard !store.isClosed, !hasEnded else { return nil }
    writer.note(outcome, isLast: isLast, for: store.database)
    if let pictures = outcome.pictures { self.pictures.want(pictures, by: mediaOwner) }
    guard isLast else { return nil }
    if outcome.isOutdated, !hasRepeated {
      // A program that always changes the file must not keep this queue busy.
      hasRepeated = true
      return publishTimeline(gathers: false)
    }
    hasRepeated = false
    if outcome.isOutdated {
      return failed(OperationError(.inputOutput, "another program changed \(files.timeline)"))
    }
    if let failure = outcome.failure { return failed(failure) }
    allWereWritten()
    return nil
  }

  /// The number of unread posts in the published file; `nil` until this process has published it. Call from any queue.
  package var unread: Int? { lastUnread.withLock { $0 } }

  /// Whether a file is being rendered, or is to be rendered as soon as a queue is free.
  package var isRendering: Bool { renderer.isBusy }

  /// Calls back when no published file is being rendered, with the failure of the last rendering.
  package func whenRendered(_ body: @escaping (OperationError?) -> Void) { renderer.whenDone(body) }

  // MARK: Gathered files

  /// Schedules the writing of outdated files. All refreshes until then share one write.
  private func publishGatheredSoon() {
    guard alarm == nil, !store.isClosed else { return }
    alarm = try? Alarm(on: core.accountQueue.queue) { [weak self] in
      guard let self, !self.store.isClosed else { return }
      self.alarm = nil
      let isKnown = self.store.unstored.reason != nil
      self.publish(gathers: false) {
        if let failure = $0 { self.core.log(isKnown ? .debug : .warning, failure.message) }
      }
    }
    if let alarm { alarm.set(.now + core.shared.gathering) } else { publishGathered() }
  }

  /// Immediately writes outdated and missing files, for a user who is waiting for them.
  /// - Parameter completion: called once they have been written, with the error if that failed.
  package func publishBehind(then completion: @escaping (OperationError?) -> Void) {
    guard !store.isClosed,
      writer.isBehind(store.database) || hasContent(store.knownState) && lacksFiles
    else { return whenRendered(completion) }
    publish(gathers: false, then: completion)
  }

  /// Begins to write outdated files before the database is closed.
  func publishGathered() {
    guard !hasEnded, writer.isBehind(store.database) else { return }
    do throws(PublishError) { try publishAll(gathers: false) } catch {
      isPublished = false
      core.log(.warning, "some published files will be out of date until the next start: \(error)")
    }
  }

  // MARK: Starts and ends of processes

  /// - Parameter isPublished: whether the previous process left complete files.
  func begin(isPublished: Bool) { self.isPublished = isPublished }

  /// Begins to write no more files.
  func stop() {
    alarm?.set(nil)
    alarm = nil
  }

  /// Publishes the files again, because a kill or a power failure may have left them incomplete or older than the database.
  func restoreAfterUncleanEnd() {
    guard !store.isClosed, !isPublished, !core.shared.shutdown.isUnderWay else { return }
    guard let state = try? store.database.state(), hasContent(state) else {
      isPublished = true
      return
    }
    publish(gathers: false) { failure in
      guard let failure else { return }
      self.core.log(
        .warning, "the published files may be incomplete after an unclean shutdown: \(failure.message)")
    }
  }

  /// Publishes the posts in the database again if a published file is missing. Sends no request.
  /// - Parameter completion: called once the files have been written, with the error if that failed.
  package func restorePublished(then completion: @escaping (OperationError?) -> Void) {
    guard !store.isClosed, lacksFiles else { return completion(nil) }
    do throws(StorageError) {
      guard try hasContent(store.state()) else { return completion(nil) }
    } catch { return completion(OperationError(.inputOutput, "\(subject) could not be published again: \(error)")) }
    publish(gathers: false, then: completion)
  }

  /// Returns whether there is anything to publish: the account was authorised, and another timeline than home was requested.
  private func hasContent(_ state: AccountState) -> Bool {
    state.identity != nil && (name == .home || state[name].refreshedAt != nil || state[name].problem != nil)
  }

  /// Whether a file that is to be published does not exist.
  private var lacksFiles: Bool {
    core.provider.hasTimeline
      && (!File.exists(files.timeline) || settings.publish.contains { !File.exists(files.published(as: $0)) })
  }

  // MARK: Changes of other timelines

  /// Publishes the timeline if its posts have changed since it was last published, as when another timeline's page has an edited post.
  /// - Parameter completion: called once the files that are not postponed have been written, with the error if publishing failed.
  func publishIfChanged(gathers: Bool, then completion: @escaping (OperationError?) -> Void) {
    guard !store.isClosed, writer.lacksChanges(of: store.database) else { return completion(nil) }
    publish(gathers: gathers, then: completion)
  }

  // MARK: Pictures

  /// Whether a published file shows pictures.
  var showsPictures: Bool { settings.publish.contains(where: \.form.isPage) }

  /// Rewrites the page if pictures were fetched after it was written.
  func republish() {
    writer.picturesWereStored(for: store.database)
    publish(gathers: false) { failure in
      guard let failure else { return }
      self.core.log(.info, "newly fetched pictures are not shown yet: \(failure.message)")
    }
  }

  // MARK: The end of the timeline

  /// Whether the timeline is no longer published, because it was taken out of the settings.
  private var hasEnded = false

  /// Publishes nothing from now on, and removes the published files.
  /// - Parameter done: called once they have been removed.
  func end(then done: @escaping () -> Void) {
    hasEnded = true
    stop()
    store.unstored.unpublished[name] = nil
    whenRendered { _ in
      self.forgetMedia()
      do throws(SystemError) { for file in self.files.all { try File.remove(file) } } catch {
        self.core.log(.warning, "the published files of \(self.name) could not be removed: \(error)")
      }
      done()
    }
  }

  /// Removes the timeline's claim on its pictures when it no longer has a published page.
  func forgetMedia() { core.shared.media?.forget(owner: mediaOwner) }
}
