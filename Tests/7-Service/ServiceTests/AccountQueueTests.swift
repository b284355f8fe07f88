import Dispatch
import Platform
import Testing

@testable import Accounts
@testable import Service

/// The events of an account queue's jobs. Use only on that queue.
private final class Notes: @unchecked Sendable {
  var lines: [String] = []
}

@Suite struct AccountQueueTests {
  private let accountQueue = AccountQueue(label: "queue under test")
  private let notes = Notes()

  /// Runs a closure on the account queue, and waits until all work that it started has ended.
  private func run(_ body: @escaping @Sendable (AccountQueue, Notes) -> Void) async -> [String] {
    await withCheckedContinuation { done in
      accountQueue.queue.async { [accountQueue, notes] in body(accountQueue, notes) }
      settle { done.resume(returning: $0) }
    }
  }

  private func settle(_ done: @escaping @Sendable ([String]) -> Void) {
    accountQueue.queue.async { [accountQueue, notes] in
      if accountQueue.isBusy { settle(done) } else { done(notes.lines) }
    }
  }

  // MARK: Events are never delivered inside each other

  @Test("jobs that each enqueue the next run one after another, and each sees its own change to the counter")
  func queued() async {
    let shown = await run { accountQueue, notes in
      var counter = 0
      @Sendable func say(_ context: JobContext) {}
      func handle() {
        accountQueue.enqueue(.schedule) { context in
          if counter < 10 {
            counter += 1
            handle()
          }
          notes.lines.append("\(counter)")
          context.end()
        }
      }
      handle()
    }
    #expect(shown == (1...10).map(String.init) + ["10"])
  }

  // MARK: Turns

  @Test("a requested job never starts before the job that requested it has finished")
  func asynchronous() async {
    let lines = await run { accountQueue, notes in
      accountQueue.enqueue(.login) { context in
        notes.lines.append("job")
        context.end()
      }
      notes.lines.append("asked")
    }
    #expect(lines == ["asked", "job"])
  }

  @Test("a job released without having ended does not block the next one")
  func letGo() async {
    let lines = await run { accountQueue, notes in
      accountQueue.enqueue(.schedule) { _ in notes.lines.append("forgetful") }
      accountQueue.enqueue(.schedule) { context in
        notes.lines.append("next")
        context.end()
        context.end()
      }
    }
    #expect(lines == ["forgetful", "next"])
  }

  @Test("an asynchronous job keeps its turn until it ends, even if more urgent jobs are waiting")
  func long() async {
    let lines = await run { accountQueue, notes in
      accountQueue.enqueue(.filling) { context in
        notes.lines.append("filling begins")
        accountQueue.enqueue(.login) { context in
          notes.lines.append("login")
          context.end()
        }
        accountQueue.queue.later {
          accountQueue.queue.later {
            notes.lines.append("filling ends")
            context.end()
          }
        }
      }
    }
    #expect(lines == ["filling begins", "filling ends", "login"])
  }

  @Test("a job cancelled while waiting is notified and never starts")
  func cancelledWaiting() async {
    let lines = await run { accountQueue, notes in
      accountQueue.enqueue(.schedule) { $0.end() }
      let ticket = accountQueue.enqueue(
        .schedule, dropped: { notes.lines.append("dropped") }, { _ in notes.lines.append("begun") })
      accountQueue.cancel(ticket)
      accountQueue.cancel(ticket)
    }
    #expect(lines == ["dropped"])
  }

  @Test("a running job is notified of its cancellation only once, and its response is discarded")
  func cancelledRunning() async {
    let lines = await run { accountQueue, notes in
      var ticket: AccountQueue.Ticket?
      ticket = accountQueue.enqueue(.schedule) { context in
        context.onCancel { notes.lines.append("cancelled") }
        accountQueue.cancel(ticket!)
        accountQueue.cancel(ticket!)
        notes.lines.append("current: \(accountQueue.isCurrent(context))")
        context.end()
      }
      accountQueue.enqueue(.schedule) { context in
        notes.lines.append("current: \(accountQueue.isCurrent(context))")
        context.end()
      }
    }
    #expect(lines == ["cancelled", "current: false", "current: true"])
  }

  @Test("a response to the previous generation's request is discarded, and a waiting job starts in the new generation")
  func generations() async {
    let lines = await run { accountQueue, notes in
      accountQueue.enqueue(.schedule) { context in
        notes.lines.append("before: \(accountQueue.isCurrent(context))")
        accountQueue.advance()
        accountQueue.queue.later {
          notes.lines.append("answer: \(accountQueue.isCurrent(context))")
          context.end()
        }
      }
      accountQueue.enqueue(.filling) { context in
        notes.lines.append("generation \(accountQueue.generation): \(accountQueue.isCurrent(context))")
        context.end()
      }
    }
    #expect(lines == ["before: true", "answer: false", "generation 1: true"])
  }

  @Test("a resource is removed on its readers' queue, after they have finished")
  func removal() async {
    // The removal waits for the readers queued before it, so no reader misses the picture.
    let lines = await run { accountQueue, notes in
      let picture = Locked<String?>("picture")
      for reader in 1...3 {
        accountQueue.enqueue(.media) { context in
          notes.lines.append("\(reader): \(picture.withLock { $0 } ?? "black")")
          context.end()
        }
      }
      accountQueue.enqueue(.media) { context in
        picture.withLock { $0 = nil }
        notes.lines.append("removed")
        context.end()
      }
    }
    #expect(lines == ["1: picture", "2: picture", "3: picture", "removed"])
  }
}
