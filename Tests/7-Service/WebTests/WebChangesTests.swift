import ControlProtocol
import Dispatch
import Platform
import Testing

@testable import Web

/// How a page waits for a change.
@Suite("Changes from the page") struct WebChangesTests {
  private static let notice = NoticeEvent("it goes on")

  /// Carries out a request and waits for its outcome.
  private func outcome(
    _ scripted: ScriptedChanges, patience: Duration = .seconds(60),
    after step: @escaping @Sendable (any ControlEvent) -> WebChanges.Step = { _ in .wait }
  ) async -> WebChanges.Outcome {
    await withCheckedContinuation { continuation in
      scripted.changes.carryOut(RefreshRequest(), patience: patience, after: step) {
        continuation.resume(returning: $0)
      }
    }
  }

  @Test("The page gets the events and the end of a change, and nobody leaves")
  func ended() async {
    let scripted = ScriptedChanges()
    let end = EndEvent(exit: .temporary, message: "bird: later")
    scripted.respond { _ in .init(events: [Self.notice, Self.notice], end: .end(end)) }
    let outcome = await outcome(scripted)
    #expect(outcome.events.count == 2 && outcome.end == .response(.end(end)))
    #expect(scripted.left == 0)
  }

  @Test("A change that takes longer than the page waits goes on, and learns that nobody waits for it")
  func patience() async {
    let scripted = ScriptedChanges()
    scripted.respond { _ in .init(events: [Self.notice], end: nil) }
    let outcome = await outcome(scripted, patience: .milliseconds(50))
    #expect(outcome.end == .underWay && scripted.left == 1)
  }

  @Test("After its end, a change holds nothing of the page that asked for it")
  func released() throws {
    final class Held: Sendable {}
    weak var held: Held?
    let end = Locked<(@Sendable (ControlResponse) -> Void)?>(nil)
    do {
      let object = Held()
      held = object
      let changes = WebChanges { _, event, completion in
        end.withLock { $0 = completion }
        return { event(Self.notice) }
      }
      let step = { @Sendable (_: any ControlEvent) -> WebChanges.Step in withExtendedLifetime(object) { .wait } }
      changes.carryOut(RefreshRequest(), after: step) { _ in }
    }
    #expect(held != nil)
    let finish = end.withLock { $0.take() }
    finish?(.end(EndEvent(exit: .done)))
    #expect(held == nil)
  }

  @Test("The page can answer after an event, with or without leaving")
  func step() async {
    for (step, left) in [(WebChanges.Step.answer, 0), (.leave, 1)] {
      let scripted = ScriptedChanges()
      scripted.respond { _ in .init(events: [Self.notice, Self.notice]) }
      let outcome = await outcome(scripted) { _ in step }
      #expect(outcome.events.count == 1 && outcome.end == .underWay)
      #expect(scripted.left == left)
    }
  }
}
