import HTTP
@testable import HTTPServer
import Platform
import Testing

@Suite("Where an answer goes")
struct ImmediateResponseTests {
  private static let response = Exchange.Answer(response: Response(status: .ok), closing: false, delivered: nil)

  @Test("what is answered while the handler runs is carried out behind it, and not by way of the queue")
  func within() {
    let later = Locked(0)
    let prompt = ImmediateResponse { _ in later.withLock { $0 += 1 } }
    prompt.respond(Self.response)
    #expect(prompt.handedOver()?.response.status == .ok)
    #expect(prompt.handedOver() == nil)
    #expect(later.withLock { $0 } == 0)
  }

  @Test("what is answered after the handler goes by way of the queue")
  func behind() {
    let later = Locked(0)
    let prompt = ImmediateResponse { _ in later.withLock { $0 += 1 } }
    #expect(prompt.handedOver() == nil)
    prompt.respond(Self.response)
    #expect(later.withLock { $0 } == 1)
    #expect(prompt.handedOver() == nil)
  }
}
