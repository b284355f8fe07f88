import HTTP
import Platform
import Testing

@testable import HTTPServer

@Suite("The connection state machine")
struct ListenerConnectionStateTests {
  private let begin = BootInstant(nanoseconds: 1_000_000_000)
  private let get = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

  private func state(limits: RequestParser.Limits = .callback) -> ConnectionState {
    ConnectionState(limits: limits, deadlines: ConnectionDeadlines(), at: begin)
  }

  private func seconds(_ count: Int) -> BootInstant { begin + .seconds(count) }

  private let hello = ConnectionState.Event.answered(Response(status: .ok, text: "hello"), closing: false, date: nil)

  @Test("a request is handled only once, and the next pipelined request is handled after the response to the first")
  func order() {
    var state = state()
    let first = state.handle(.received(get + get), at: begin)
    #expect(first.count == 1 && !state.wantsInput && state.activity == .busy && state.due == nil)
    #expect(state.handle(hello, at: seconds(1)) == [.write])
    #expect(state.due == seconds(11))
    let second = state.handle(.wrote(state.output.count), at: seconds(2))
    #expect(second.first == .delivered && second.dropFirst() == first[...])
    #expect(state.handle(hello, at: seconds(3)) == [.write])
    #expect(state.handle(.wrote(state.output.count), at: seconds(4)) == [.delivered])
    #expect(state.wantsInput && state.activity == .idle && state.due == seconds(9))
  }

  @Test("each portion of a long response that the client accepts extends the connection's deadline")
  func progress() {
    var state = state()
    _ = state.handle(.received(get), at: begin)
    _ = state.handle(hello, at: begin)
    #expect(state.handle(.wrote(1), at: seconds(9)) == [] && state.due == seconds(19))
    #expect(state.handle(.wrote(0), at: seconds(10)) == [] && state.due == seconds(19))
    #expect(state.handle(.deadlineReached, at: seconds(18)) == [])
    #expect(state.handle(.deadlineReached, at: seconds(19)) == [.close] && state.isClosed)
  }

  @Test("a request's deadline is not extended as more of its bytes arrive")
  func slow() {
    var state = state()
    #expect(state.due == seconds(5))
    _ = state.handle(.received([0x47]), at: seconds(4))
    #expect(state.due == seconds(5) && state.activity == .partialRequest)
    #expect(state.handle(.deadlineReached, at: seconds(5)) == [.write])
    #expect(String(decoding: state.output, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    #expect(state.handle(.wrote(state.output.count), at: seconds(5)) == [.delivered, .endOutput])
  }

  @Test("after the last response on a connection, input is read to its end or up to a limit")
  func lingering() {
    for event in [
      ConnectionState.Event.inputEnded, .broken, .received([UInt8](repeating: 0, count: 300_000)), .deadlineReached,
    ] {
      var state = state()
      _ = state.handle(.received(Array("\n".utf8)), at: begin)
      #expect(state.handle(.wrote(state.output.count), at: begin) == [.delivered, .endOutput])
      #expect(state.wantsInput && state.activity == .closing && state.due == seconds(1))
      #expect(state.handle(.received(get), at: begin) == [])
      #expect(state.handle(event, at: seconds(1)) == [.close])
    }
  }

  @Test("100 Continue is written before the content and does not change the deadline (RFC 9110 §10.1.1)")
  func interim() {
    var state = state(limits: .sandbox)
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    #expect(state.handle(.received(Array(head.utf8)), at: begin) == [.write])
    #expect(state.handle(.wrote(state.output.count), at: seconds(1)) == [])
    #expect(state.wantsInput && state.due == seconds(5) && state.activity == .partialRequest)
    #expect(state.handle(.received([0x78]), at: seconds(2)).count == 1)
  }

  @Test(
    "stopping the server immediately closes connections that are waiting for a request, and closes busy ones after their response"
  )
  func stopping() {
    var silent = state()
    #expect(silent.handle(.stopped, at: begin) == [.close])
    var busy = state()
    _ = busy.handle(.received(get + get), at: begin)
    #expect(busy.handle(.stopped, at: begin) == [])
    _ = busy.handle(hello, at: begin)
    #expect(String(decoding: busy.output, as: UTF8.self).contains("\r\nConnection: close\r\n"))
    #expect(busy.handle(.wrote(busy.output.count), at: begin) == [.delivered, .endOutput])
    var writing = state()
    _ = writing.handle(.received(get + get), at: begin)
    _ = writing.handle(hello, at: begin)
    #expect(writing.handle(.stopped, at: begin) == [])
    #expect(writing.handle(.wrote(writing.output.count), at: begin) == [.delivered, .endOutput])
  }

  @Test("events have no effect once the connection is closed")
  func closed() {
    var state = state()
    #expect(state.handle(.broken, at: begin) == [.close])
    #expect(state.handle(.inputEnded, at: begin) == [] && state.handle(.deadlineReached, at: seconds(9)) == [])
    #expect(!state.wantsInput && state.due == nil && state.output.isEmpty)
  }
}
