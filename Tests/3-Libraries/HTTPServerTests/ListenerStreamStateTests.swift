import HTTP
import Platform
import Testing

@testable import HTTPServer

@Suite("The state machine of a streamed response")
struct ListenerStreamStateTests {
  private let begin = BootInstant(nanoseconds: 1_000_000_000)
  private let get = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

  private func seconds(_ count: Int) -> BootInstant { begin + .seconds(count) }

  /// Returns a connection with a streamed response whose head has been sent.
  private func open(_ request: [UInt8]? = nil) -> ConnectionState {
    var state = ConnectionState(limits: .control, deadlines: ConnectionDeadlines(), at: begin)
    _ = state.handle(.received(request ?? get), at: begin)
    #expect(state.handle(.streamed(Response(status: .ok), closing: false, date: nil), at: begin) == [.write])
    #expect(state.handle(.wrote(state.output.count), at: begin) == [])
    return state
  }

  @Test("a stream keeps reading input, and has a deadline only while content is waiting to be sent")
  func deadlines() {
    var state = open()
    #expect(state.isStreaming && state.wantsInput && state.activity == .busy && state.due == nil)
    #expect(state.handle(.deadlineReached, at: seconds(1000)) == [])
    #expect(state.handle(.content([1, 2, 3]), at: seconds(1000)) == [.write])
    #expect(state.due == seconds(1010))
    #expect(state.handle(.content([4]), at: seconds(1005)) == [.write])
    #expect(state.due == seconds(1010), "more content does not count as progress")
    #expect(state.handle(.wrote(2), at: seconds(1006)) == [] && state.due == seconds(1016))
    #expect(state.handle(.wrote(state.output.count), at: seconds(1007)) == [] && state.due == nil)
    _ = state.handle(.content([5]), at: seconds(2000))
    #expect(state.handle(.deadlineReached, at: seconds(2010)) == [.close])
  }

  @Test("after a stream, the next request is handled, even if it arrived during the stream")
  func next() {
    var state = open()
    #expect(state.handle(.received(get), at: begin) == [])
    #expect(state.handle(.contentEnded, at: seconds(1)) == [.write])
    #expect(Array(state.output) == Array("0\r\n\r\n".utf8) && state.due == seconds(11) && !state.isStreaming)
    let actions = state.handle(.wrote(5), at: seconds(2))
    #expect(actions.count == 2 && actions.first == .delivered && state.activity == .busy)
  }

  @Test("an HTTP/1.0 stream ends with the connection, even if all content has already been sent")
  func old() {
    var state = open(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    #expect(state.handle(.content([1]), at: begin) == [.write] && state.output == [1])
    _ = state.handle(.wrote(1), at: begin)
    #expect(state.handle(.contentEnded, at: seconds(1)) == [.delivered, .endOutput])
    #expect(state.activity == .closing && state.due == seconds(2))
  }

  @Test("a streamed response to HEAD is complete after the head")
  func head() {
    var state = ConnectionState(limits: .control, deadlines: ConnectionDeadlines(), at: begin)
    _ = state.handle(.received(Array("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)), at: begin)
    _ = state.handle(.streamed(Response(status: .ok), closing: false, date: nil), at: begin)
    #expect(!state.isStreaming)
    #expect(state.handle(.wrote(state.output.count), at: begin) == [.delivered] && state.activity == .idle)
  }

  @Test("a client that closes its side, resets the connection or sends too much during a stream is disconnected")
  func gone() {
    for event in [
      ConnectionState.Event.inputEnded, .broken,
      .received([UInt8](repeating: 0, count: ConnectionState.earlyLimit + 1)),
    ] {
      var state = open()
      #expect(state.handle(event, at: seconds(1)) == [.close] && state.isClosed && !state.isStreaming)
    }
    var state = open()
    let half = [UInt8](repeating: 0, count: ConnectionState.earlyLimit / 2)
    #expect(state.handle(.received(half), at: begin) == [] && state.handle(.received(half), at: begin) == [])
    #expect(state.handle(.received([0]), at: begin) == [.close])
  }

  @Test("stream content is buffered up to the limit, and one more byte closes the connection")
  func limit() {
    var state = open()
    // The line with the chunk size takes a few bytes.
    let piece = [UInt8](repeating: 7, count: ConnectionState.streamLimit / 2 - 9)
    #expect(StreamFraming.chunked.framed(piece).count == ConnectionState.streamLimit / 2)
    for _ in 0..<2 { #expect(state.handle(.content(piece), at: begin) == [.write]) }
    #expect(state.output.count == ConnectionState.streamLimit)
    #expect(state.handle(.content([]), at: begin) == [])
    #expect(state.handle(.content([1]), at: begin) == [.close])
  }

  @Test("stopping the server lets a stream continue to its end and then closes the connection")
  func stopping() {
    var state = open()
    #expect(state.handle(.stopped, at: begin) == [])
    #expect(state.handle(.content([1]), at: begin) == [.write])
    #expect(state.handle(.contentEnded, at: begin) == [.write])
    #expect(state.handle(.wrote(state.output.count), at: begin) == [.delivered, .endOutput])
  }
}
