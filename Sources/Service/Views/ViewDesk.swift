internal import CivilTime
internal import Dispatch
internal import Platform
internal import Settings
internal import Store

/// Publishes views when one of their accounts was published, at once for many that come together.
// Sendable because everything that changes in it is touched on `queue` only.
final class ViewDesk: @unchecked Sendable {
  /// How long a view waits for further accounts.
  private static let pause = Duration.milliseconds(300)

  private let layout: FileLayout
  private let media: MediaStore?
  private let clock: WallClock
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.views")
  private var views: [ViewSettings]
  private var waiting: Set<AccountName> = []
  private var alarm: Alarm?
  private let wanted = Locked<KeptClosure<@Sendable (AccountName, [AccountName: [String]]) -> Void>?>(nil)

  init(_ views: [ViewSettings], layout: FileLayout, media: MediaStore?, clock: WallClock, log: Log) {
    self.views = views
    self.layout = layout
    self.media = media
    self.clock = clock
    self.log = log
    alarm = try? Alarm(on: queue) { self.publishWaiting() }
  }

  /// Something of this account was published. From any queue.
  func published(_ account: AccountName) {
    queue.async {
      let concerned = self.views.filter { $0.accounts.contains(account) }.map(\.name)
      self.wait(for: concerned)
    }
  }

  /// Has somebody told, on this desk's queue, which pictures a view's page shows, by the account that they came through.
  func tellWanted(to body: @escaping @Sendable (AccountName, [AccountName: [String]]) -> Void) {
    wanted.withLock { $0 = KeptClosure(body) }
  }

  /// Publishes at once what waits, for somebody who wants no view to be behind.
  /// - Parameter done: called on this desk's queue.
  func publishNow(then done: @escaping @Sendable () -> Void) {
    queue.async {
      self.publishWaiting()
      done()
    }
  }

  /// Goes on with other views. Those that are gone leave no files.
  func adopt(_ views: [ViewSettings]) {
    queue.async {
      let former = self.views
      self.views = views
      self.wait(for: views.filter { !former.contains($0) }.map(\.name))
      self.removeOthers()
    }
  }

  /// Removes what a process before has left: half-written files, and what is published of views that there are no more.
  func removeLeftovers() {
    queue.async {
      do throws(SystemError) { try self.layout.removeViewLeftovers() } catch {
        self.log(.warning, "what a homeline before has left half-written of a view cannot be removed: \(error)")
      }
      self.removeOthers()
    }
  }

  /// Publishes at once what waits, before the process ends. Waits for it.
  func end() {
    queue.sync {
      publishWaiting()
      alarm?.set(nil)
      alarm = nil
    }
  }

  private func wait(for names: [AccountName]) {
    guard !names.isEmpty else { return }
    let wasIdle = waiting.isEmpty
    waiting.formUnion(names)
    guard wasIdle else { return }
    if let alarm { alarm.set(.now + Self.pause) } else { publishWaiting() }
  }

  private func publishWaiting() {
    let names = waiting
    waiting = []
    for view in views where names.contains(view.name) {
      do throws(PublishError) {
        let pictures = try ViewPublisher(view, layout: layout, media: media).publish(at: clock.now)
        wanted.withLock { $0 }?.call(view.name, pictures)
      } catch { log(.warning, "the view \(view.name) could not be published, its files before stay: \(error)") }
    }
  }

  private func removeOthers() {
    let known = Set(views.map(\.name.text))
    do throws(SystemError) {
      for name in try layout.publishedViews() where !known.contains(name) {
        media?.forget(owner: "view:\(name)")
        try layout.removeView(name)
      }
    } catch { log(.warning, "what was published of a former view cannot be removed: \(error)") }
  }
}
