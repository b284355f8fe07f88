import HTTP
import Platform
import Testing

@testable import HTTPServer

@Suite("Immediate and late responses")
struct ImmediateResponseTests {
  private static let response = Exchange.Reply(response: Response(status: .ok), closing: false, delivered: nil)

  @Test(
    "a response given while the handler runs is processed when the handler returns, without going through the queue"
  )
  func within() {
    let later = Locked(0)
    let prompt = ImmediateResponse { _ in later.withLock { $0 += 1 } }
    prompt.respond(Self.response)
    #expect(prompt.handlerReturned()?.response.status == .ok)
    #expect(prompt.handlerReturned() == nil)
    #expect(later.withLock { $0 } == 0)
  }

  @Test("a response given after the handler has returned goes through the queue")
  func behind() {
    let later = Locked(0)
    let prompt = ImmediateResponse { _ in later.withLock { $0 += 1 } }
    #expect(prompt.handlerReturned() == nil)
    prompt.respond(Self.response)
    #expect(later.withLock { $0 } == 1)
    #expect(prompt.handlerReturned() == nil)
  }
}
