import Dispatch
import Platform
import Testing

@testable import Service

@Suite struct LaneGivingWayTests {
  private final class Notes: @unchecked Sendable {
    var lines: [String] = []
    var held: Turn?
  }

  private let lane = Lane(label: "lane under test")

  @Test("an interruptible job is asked to stop for a more urgent one, and for no other")
  func asked() async {
    let lines = await withCheckedContinuation { done in
      lane.queue.async { [lane] in
        let notes = Notes()
        lane.enqueue(.media) { turn in
          notes.held = turn
          turn.onGivingWay {
            notes.lines.append("gives way")
            #expect(lane.isCurrent(turn), "it is not cancelled: what it has learnt counts")
            notes.held.take()?.end()
          }
          lane.enqueue(.media) { turn in
            notes.lines.append("media")
            turn.end()
          }
          notes.lines.append("goes on")
          lane.enqueue(.filling) { turn in
            notes.lines.append("filling")
            turn.end()
          }
        }
        lane.whenIdle { done.resume(returning: notes.lines) }
      }
    }
    #expect(lines == ["goes on", "gives way", "filling", "media"])
  }

  @Test("a job that has ended is not asked to stop")
  func ended() async {
    let lines = await withCheckedContinuation { done in
      lane.queue.async { [lane] in
        let notes = Notes()
        lane.enqueue(.media) { turn in
          turn.onGivingWay { notes.lines.append("gives way") }
          turn.end()
          lane.enqueue(.login) { turn in
            notes.lines.append("login")
            turn.end()
          }
        }
        lane.whenIdle { done.resume(returning: notes.lines) }
      }
    }
    #expect(lines == ["login"])
  }
}
