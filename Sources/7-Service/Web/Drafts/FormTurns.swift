internal import Platform

/// Lets forms with the same id, so the same form sent several times, be handled one after another. A later one then sees what became of the
/// first.
final class FormTurns: Sendable {
  typealias End = @Sendable () -> Void

  private let waiting = Locked<[DraftID: [ClosureBox<@Sendable (@escaping End) -> Void>]]>([:])

  /// Calls the body now or, if a form with this id is being handled, after it.
  /// - Parameter body: handles the form, and calls its parameter once at the end, from any thread.
  func run(_ id: DraftID, _ body: @escaping @Sendable (@escaping End) -> Void) {
    let isFirst = waiting.withLock { waiting in
      guard waiting[id] == nil else {
        waiting[id]?.append(ClosureBox(body))
        return false
      }
      waiting[id] = []
      return true
    }
    if isFirst { start(id, body) }
  }

  private func start(_ id: DraftID, _ body: @Sendable (@escaping End) -> Void) {
    let isOver = Locked(false)
    body { if isOver.setOnce() { self.startNext(id) } }
  }

  private func startNext(_ id: DraftID) {
    let next = waiting.withLock { waiting in
      if waiting[id]?.isEmpty == true { waiting[id] = nil }
      return waiting[id] == nil ? nil : waiting[id]?.removeFirst()
    }
    if let next { start(id, next.call) }
  }
}
