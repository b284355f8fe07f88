import HTTP
import Testing

/// Parses bytes that are fed in the given pieces. Returns all outcomes, up to and including the first error.
func outcomes(of pieces: [ArraySlice<UInt8>], limits: RequestParser.Limits) -> [RequestParser.Outcome] {
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
      case .request, .continueExpected, .head, .contentBegan, .content: all.append(outcome)
      }
    }
  }
  return all
}

/// Parses text and returns all outcomes. Checks that the outcomes do not depend on where the input is split.
func outcomes(
  of text: String, limits: RequestParser.Limits = .sandbox, sourceLocation: SourceLocation = #_sourceLocation
) -> [RequestParser.Outcome] {
  outcomes(of: Array(text.utf8), limits: limits, sourceLocation: sourceLocation)
}

func outcomes(
  of bytes: [UInt8], limits: RequestParser.Limits = .sandbox, sourceLocation: SourceLocation = #_sourceLocation
) -> [RequestParser.Outcome] {
  let whole = outcomes(of: [bytes[...]], limits: limits)
  for cut in bytes.indices {
    let parted = outcomes(of: [bytes[..<cut], bytes[cut...]], limits: limits)
    guard parted == whole else {
      Issue.record("cut at \(cut): \(parted) instead of \(whole)", sourceLocation: sourceLocation)
      return whole
    }
  }
  let bytewise = outcomes(of: bytes.indices.map { bytes[$0...$0] }, limits: limits)
  #expect(bytewise == whole, "byte by byte", sourceLocation: sourceLocation)
  return whole
}

/// Parses text that contains exactly one request.
func request(
  in text: String, limits: RequestParser.Limits = .sandbox, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Request {
  let all = outcomes(of: text, limits: limits, sourceLocation: sourceLocation)
  guard all.count == 1, case .request(let request) = all[0] else {
    Issue.record("no single request: \(all)", sourceLocation: sourceLocation)
    throw NoSuchOutcome()
  }
  return request
}

/// Returns the status for refused text; nil if the text is accepted.
func refusal(
  of text: String, limits: RequestParser.Limits = .sandbox, sourceLocation: SourceLocation = #_sourceLocation
) -> Int? {
  guard
    case .refused(let refusal)? = outcomes(of: text, limits: limits, sourceLocation: sourceLocation).last
  else { return nil }
  return refusal.status.code
}

struct NoSuchOutcome: Error {}
