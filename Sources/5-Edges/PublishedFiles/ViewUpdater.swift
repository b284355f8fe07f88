internal import Dispatch
package import Folders
package import Platform
package import Settings
package import Storage
package import Time

/// Publishes a view after one of its accounts has been published, but only once if several accounts are published at about the same time.
// Sendable because its mutable state is accessed only on `queue`.
package final class ViewUpdater: @unchecked Sendable {
  /// The time that a view waits for more accounts.
  private static let pause = Duration.milliseconds(300)

  private let layout: FileLayout
  private let storage: any StorageProvider
  private let media: MediaStore?
  private let clock: WallClock
  private let gathering: Duration
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.views")
  private var views: [ViewSettings]
  private var waiting: Set<AccountName> = []
  /// The views with files that wait for further refreshes before they are written.
  private var behind: Set<AccountName> = []
  /// Views that this process has published completely.
  private var known: Set<AccountName> = []
  private var alarm: Alarm?
  private var gatheringAlarm: Alarm?
  /// What was last reported about each view.
  private var reported: [AccountName: PublishedSummary] = [:]
  private let published = Locked<ClosureBox<@Sendable (AccountName, PublishedSummary) -> Void>?>(nil)
  private let wanted = Locked<ClosureBox<@Sendable (AccountName, [AccountName: [String]]) -> Void>?>(nil)

  /// - Parameter gathering: how long files that are not written at every refresh wait for more refreshes.
  package init(
    _ views: [ViewSettings], layout: FileLayout, storage: any StorageProvider, media: MediaStore?, clock: WallClock,
    gathering: Duration, log: Log
  ) {
    self.views = views
    self.layout = layout
    self.storage = storage
    self.media = media
    self.clock = clock
    self.gathering = gathering
    self.log = log
    alarm = try? Alarm(on: queue) { self.publishWaiting(gathers: self.gathering > .zero) }
    gatheringAlarm = try? Alarm(on: queue) { self.publishWaiting(gathers: false) }
  }

  /// Publishes the views of a published timeline, after a pause. Call from any queue.
  package func published(_ timeline: TimelineKey) {
    queue.async { self.wait(for: self.views.filter { $0.timelines.contains(timeline) }.map(\.name)) }
  }

  /// Publishes the views of an account with new pictures that their pages do not show yet, after a pause. Call from any queue.
  package func picturesWereStored(through account: AccountName) {
    queue.async { self.gather(self.views(of: account)) }
  }

  private func views(of account: AccountName) -> [AccountName] {
    views.filter { $0.timelines.contains { $0.account == account } }.map(\.name)
  }

  /// Sets the function that receives the pictures on a view's page, by the account that provided them. It is called on the updater's queue.
  package func tellWanted(to body: @escaping @Sendable (AccountName, [AccountName: [String]]) -> Void) {
    wanted.withLock { $0 = ClosureBox(body) }
  }

  /// Sets the function that receives a view with other posts or another number of unread ones. It is called on the updater's queue.
  package func tellPublished(to body: @escaping @Sendable (AccountName, PublishedSummary) -> Void) {
    published.withLock { $0 = ClosureBox(body) }
  }

  /// Publishes all waiting views now, for a caller that needs every view to be current.
  /// - Parameter done: called on the updater's queue.
  package func publishNow(then done: @escaping @Sendable () -> Void) {
    queue.async {
      self.publishWaiting(gathers: false)
      done()
    }
  }

  /// Replaces the views and publishes new and changed ones immediately. The published files of removed views are deleted.
  /// - Parameter done: called on the updater's queue after that.
  package func adopt(_ views: [ViewSettings], then done: @escaping @Sendable () -> Void) {
    queue.async {
      let former = self.views
      self.views = views
      self.known = self.known.filter { name in views.contains { $0.name == name && former.contains($0) } }
      let changed = views.filter { !former.contains($0) }.map(\.name)
      if !changed.isEmpty {
        self.waiting.formUnion(changed)
        self.publishWaiting(gathers: self.gathering > .zero)
      }
      self.removeOthers()
      done()
    }
  }

  /// Removes an earlier run's temporary files, and the published files of views that no longer exist.
  package func removeLeftovers() {
    queue.async {
      do throws(SystemError) { try self.layout.removeViewLeftovers() } catch {
        self.log(.warning, "could not remove a view's temporary files that an earlier process left behind: \(error)")
      }
      self.removeOthers()
    }
  }

  /// Publishes all waiting views before the process exits, and waits until they have been written.
  package func end() {
    queue.sync {
      publishWaiting(gathers: false)
      for alarm in [alarm, gatheringAlarm] { alarm?.set(nil) }
      alarm = nil
      gatheringAlarm = nil
    }
  }

  private func wait(for names: [AccountName]) {
    guard !names.isEmpty else { return }
    let wasIdle = waiting.isEmpty
    waiting.formUnion(names)
    guard wasIdle else { return }
    if let alarm { alarm.set(.now + Self.pause) } else { publishWaiting(gathers: false) }
  }

  private func gather(_ names: [AccountName]) {
    guard !names.isEmpty else { return }
    let wasIdle = behind.isEmpty
    behind.formUnion(names)
    guard wasIdle else { return }
    if let gatheringAlarm { gatheringAlarm.set(.now + gathering) } else { publishWaiting(gathers: false) }
  }

  /// Publishes the waiting views.
  /// - Parameter gathers: whether files may be left out of date for now, so that one write covers several refreshes. This does not apply to
  ///   views that this process has not published yet, because the state of their files is unknown.
  private func publishWaiting(gathers: Bool) {
    let names = gathers ? waiting : waiting.union(behind)
    waiting = []
    if !gathers { behind = [] }
    for view in views where names.contains(view.name) {
      do throws(PublishError) {
        let outcome = try ViewPublisher(view, layout: layout, storage: storage, media: media).publish(
          gathers: gathers && known.contains(view.name), at: clock.now)
        known.insert(view.name)
        if let pictures = outcome.pictures { wanted.withLock { $0 }?.call(view.name, pictures) }
        if outcome.isBehind { gather([view.name]) }
        report(outcome.summary, of: view.name)
      } catch {
        known.remove(view.name)
        log(.warning, "the view \(view.name) could not be published, so its previous files are kept: \(error)")
      }
    }
  }

  private func report(_ summary: PublishedSummary, of view: AccountName) {
    guard reported.updateValue(summary, forKey: view) != summary else { return }
    published.withLock { $0 }?.call(view, summary)
  }

  private func removeOthers() {
    let known = Set(views.map(\.name.text))
    do throws(SystemError) {
      for name in try layout.publishedViews() where !known.contains(name) {
        media?.forget(owner: "view:\(name)")
        try layout.removeView(name)
      }
    } catch { log(.warning, "could not remove the published files of a removed view: \(error)") }
  }
}
