import HTTP
import Testing

/// All outcomes of some bytes, fed in the given pieces, up to the refusal if there is one.
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
      case .request, .continueExpected: all.append(outcome)
      }
    }
  }
  return all
}

/// The outcomes of a text, which must be the same however it is cut: at every byte boundary, and byte by byte.
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
  let crumbs = outcomes(of: bytes.indices.map { bytes[$0...$0] }, limits: limits)
  #expect(crumbs == whole, "byte by byte", sourceLocation: sourceLocation)
  return whole
}

/// The only request in a text.
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

/// The status with which a text is refused; nil if it is not.
func refusal(
  of text: String, limits: RequestParser.Limits = .sandbox, sourceLocation: SourceLocation = #_sourceLocation
) -> Int? {
  guard
    case .refused(let refusal)? = outcomes(of: text, limits: limits, sourceLocation: sourceLocation).last
  else { return nil }
  return refusal.status.code
}

struct NoSuchOutcome: Error {}
