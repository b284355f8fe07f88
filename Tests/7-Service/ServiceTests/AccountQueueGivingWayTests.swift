import Accounts
import Dispatch
import Platform
import Testing

@testable import Service

@Suite struct AccountQueueGivingWayTests {
  private final class Notes: @unchecked Sendable {
    var lines: [String] = []
    var held: JobContext?
  }

  private let accountQueue = AccountQueue(label: "queue under test")

  @Test("an interruptible job gives way only to a more urgent one")
  func asked() async {
    let lines = await withCheckedContinuation { done in
      accountQueue.queue.async { [accountQueue] in
        let notes = Notes()
        accountQueue.enqueue(.media) { context in
          notes.held = context
          context.onGivingWay {
            notes.lines.append("gives way")
            #expect(accountQueue.isCurrent(context), "the job is not cancelled, so its results count")
            notes.held.take()?.end()
          }
          accountQueue.enqueue(.media) { context in
            notes.lines.append("media")
            context.end()
          }
          notes.lines.append("goes on")
          accountQueue.enqueue(.filling) { context in
            notes.lines.append("filling")
            context.end()
          }
        }
        accountQueue.whenIdle { done.resume(returning: notes.lines) }
      }
    }
    #expect(lines == ["goes on", "gives way", "filling", "media"])
  }

  @Test("a job that has ended is not interrupted")
  func ended() async {
    let lines = await withCheckedContinuation { done in
      accountQueue.queue.async { [accountQueue] in
        let notes = Notes()
        accountQueue.enqueue(.media) { context in
          context.onGivingWay { notes.lines.append("gives way") }
          context.end()
          accountQueue.enqueue(.login) { context in
            notes.lines.append("login")
            context.end()
          }
        }
        accountQueue.whenIdle { done.resume(returning: notes.lines) }
      }
    }
    #expect(lines == ["login"])
  }
}
