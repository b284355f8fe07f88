internal import HTTP

/// The function that libFuzzer calls with each input. The first two bytes determine the limits and the position at
/// which the rest is split.
///
/// The function checks that nothing crashes, that the outcomes do not depend on the split, and that nothing exceeds the
/// limits. An accepted request must be accepted unchanged after it has been serialized.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestParser(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard input.count >= 2 else { return 0 }
  let limits = chooseLimits(input[0])
  let message = input[2...]
  let whole = outcomes(of: [message], limits)

  let cut = message.startIndex + (message.isEmpty ? 0 : Int(input[1]) * message.count / 256)
  guard outcomes(of: [message[..<cut], message[cut...]], limits) == whole else { fatalError("cut at \(cut)") }
  guard outcomes(of: message.indices.map { message[$0...$0] }, limits) == whole else { fatalError("byte by byte") }

  judgePieces(message, cut, limits, whole)
  for case .request(let request) in whole {
    guard request.body.count <= limits.body, request.headers.fields.count <= limits.headerCount else {
      fatalError("the request exceeds the limits")
    }
    if !request.announcesBody { judgeRoundTrip(of: request) }
  }
  return 0
}

private func chooseLimits(_ choice: UInt8) -> RequestParser.Limits {
  switch choice % 4 {
  case 0: .callback
  case 1: .control
  case 2: .sandbox
  default: RequestParser.Limits(requestLine: 64, headerSection: 96, headerCount: 4, body: 24)
  }
}

private func outcomes(of pieces: [ArraySlice<UInt8>], _ limits: RequestParser.Limits) -> [RequestParser.Outcome] {
  var parser = RequestParser(limits: limits)
  var all: [RequestParser.Outcome] = []
  for piece in pieces {
    parser.feed(piece)
    drain: while true {
      let outcome = parser.next()
      switch outcome {
      case .incomplete: break drain
      case .refused:
        all.append(outcome)
        return all
      case .request, .continueExpected: all.append(outcome)
      case .head, .contentBegan, .content: fatalError("nobody asked for limits and pieces")
      }
    }
  }
  return all
}

/// Checks that content which leaves the parser in pieces is the same as in the request, with the same errors.
private func judgePieces(
  _ message: ArraySlice<UInt8>, _ cut: Int, _ limits: RequestParser.Limits, _ whole: [RequestParser.Outcome]
) {
  var parser = RequestParser(limits: limits, asksForLimits: true)
  var all: [RequestParser.Outcome] = []
  var content: [UInt8]?
  for piece in [message[..<cut], message[cut...]] {
    parser.feed(piece)
    drain: while true {
      let outcome = parser.next()
      switch outcome {
      case .incomplete: break drain
      case .head: parser.admit(ContentLimit(total: limits.body, inRequest: min(limits.body, 8)))
      case .contentBegan: content = []
      case .content(let piece): content? += piece
      case .continueExpected: all.append(outcome)
      case .request(var request):
        if let content { request.body = content }
        content = nil
        all.append(.request(request))
      case .refused:
        guard all + [outcome] == whole else { fatalError("in pieces: \(all + [outcome])") }
        return
      }
    }
  }
  guard all == whole else { fatalError("in pieces: \(all)") }
}

private func judgeRoundTrip(of request: Request) {
  // Larger limits are needed here, because each invalid UTF-8 byte becomes U+FFFD, which takes three bytes.
  let room = RequestParser.Limits(requestLine: 8192, headerSection: 65536, headerCount: 101, body: 1 << 20)
  let again = outcomes(of: [request.serialized()[...]], room).filter { $0 != .continueExpected }
  guard again.count == 1, case .request(let second) = again[0], withoutFraming(second) == withoutFraming(request) else {
    fatalError("read back differently: \(again)")
  }
}

private func withoutFraming(_ request: Request) -> Request {
  var request = request
  request.headers.remove("Content-Length")
  request.headers.remove("Transfer-Encoding")
  return request
}
