import HTTP
import Sandbox
import Testing

@Suite("A list of faults")
struct FaultListTests {
  @Test("a path's faults come in their order, as often as was asked for, and to no other path")
  func order() {
    var list = FaultList()
    list.add(.answer(Response(status: .badGateway)), to: "/a", times: 2)
    list.add(.delay(.seconds(3)), to: "/a")
    list.add(.answer(Response(status: .notFound)), to: "/a", times: 0)
    #expect(list.next(for: "/b") == nil)
    for _ in 0..<2 {
      guard case .answer(let response) = list.next(for: "/a") else {
        Issue.record("no answer")
        return
      }
      #expect(response.status == .badGateway)
    }
    guard case .delay(.seconds(3)) = list.next(for: "/a") else {
      Issue.record("no delay")
      return
    }
    #expect(list.next(for: "/a") == nil)
    list.add(.drop(worked: true), to: "/a", times: 9)
    list.removeAll()
    #expect(list.next(for: "/a") == nil)
  }

  @Test("a fault comes before the work or behind it")
  func work() {
    func carry(_ fault: SandboxFault?) -> (SandboxAnswer, worked: Int) {
      var worked = 0
      let answer = SandboxAnswer(fault) {
        worked += 1
        return Response(status: .ok)
      }
      return (answer, worked)
    }
    #expect(carry(nil).worked == 1)
    let (replaced, first) = carry(.answer(Response(status: .badGateway)))
    #expect(replaced.response.status == .badGateway && first == 0)
    for worked in [false, true] {
      let (dropped, times) = carry(.drop(worked: worked))
      #expect(dropped.isDropped && times == (worked ? 1 : 0))
    }
    let (late, second) = carry(.delay(.seconds(2)))
    #expect(late.delay == .seconds(2) && second == 1 && late.response.status == .ok)
    let (changed, third) = carry(.change { $0.status = .notFound })
    #expect(changed.response.status == .notFound && third == 1)
  }
}
