/// Reads the answer to one request out of bytes as they come (RFC 9112 §2 to §7): feed it, then ask for outcomes until it
/// answers `incomplete`. It is as strict as ``RequestParser``.
///
/// Content is handed out as it comes, so that a stream can be followed; how much of it there may be is for the caller to say.
package struct ResponseParser: Sendable {
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// The status line and the fields; content and end follow.
    case head(StatusCode, HeaderFields)
    /// Some content, never empty, after the transfer coding was taken off.
    case content([UInt8])
    /// The answer is whole. Bytes behind it are nobody's.
    case end
    /// No answer, nor will it become one.
    case malformed(ResponseFault)
  }

  /// How much of an answer's head is taken; what goes beyond is malformed.
  package struct Limits: Equatable, Sendable {
    /// Bytes of the status line with its CRLF.
    package var statusLine: Int
    /// Bytes of all header field lines with their CRLFs; as much again is allowed for trailers.
    package var headerSection: Int
    package var headerCount: Int
    /// Interim answers (1xx) before the final one.
    package var interimAnswers: Int

    package init(statusLine: Int = 1024, headerSection: Int = 16384, headerCount: Int = 100, interimAnswers: Int = 8) {
      self.statusLine = statusLine
      self.headerSection = headerSection
      self.headerCount = headerCount
      self.interimAnswers = interimAnswers
    }
  }

  private enum State {
    case statusLine
    case fields
    case content(remaining: Int)
    case untilClose
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    /// Everything was said but `end`.
    case whole
    case ended
    case malformed(ResponseFault)
  }

  /// As for requests: the most bytes of one line with a chunk's size (RFC 9112 §7.1.1).
  private static let chunkLineLimit = 256

  private let limits: Limits
  /// An answer to HEAD has no content, whatever its fields say (RFC 9112 §6.3, rule 1).
  private let answersHead: Bool
  private var buffer = LineBuffer()
  private var state = State.statusLine
  private var line: StatusLine?
  private var headers = HeaderFields()
  private var fieldBudget = 0
  private var fieldCount = 0
  private var interimAnswers = 0

  package init(to method: RequestMethod, limits: Limits = Limits()) {
    self.limits = limits
    answersHead = method == .head
  }

  /// Takes bytes in, whatever their cut.
  package mutating func feed(_ bytes: some Collection<UInt8>) {
    switch state {
    case .whole, .ended, .malformed: break
    default: buffer.append(bytes)
    }
  }

  /// What the bytes fed so far come to.
  package mutating func next() -> Outcome {
    do throws(ResponseFault) {
      while true {
        if let outcome = try step() { return outcome }
      }
    } catch { return fail(error) }
  }

  /// The connection has ended, after all outcomes were taken: the end of an answer that has no other (RFC 9112 §6.3, rule 8),
  /// and the middle of every other one.
  package mutating func close() -> Outcome {
    switch state {
    case .untilClose:
      state = .ended
      return .end
    case .ended: return .incomplete
    case .malformed(let fault): return .malformed(fault)
    default: return fail(ResponseFault("the connection ended in the middle of the answer"))
    }
  }

  private mutating func fail(_ fault: ResponseFault) -> Outcome {
    state = .malformed(fault)
    buffer.removeAll()
    return .malformed(fault)
  }

  /// Does one piece of work; nil means that there may be more to do.
  private mutating func step() throws(ResponseFault) -> Outcome? {
    switch state {
    case .statusLine: return try readStatusLine()
    case .fields: return try readFieldLine()
    case .content(let remaining):
      return hand(upTo: remaining) { $0 == 0 ? .whole : .content(remaining: $0) }
    case .untilClose: return hand(upTo: .max) { _ in .untilClose }
    case .chunkSize: return try readChunkSize()
    case .chunk(let remaining):
      return hand(upTo: remaining) { $0 == 0 ? .chunkEnd : .chunk(remaining: $0) }
    case .chunkEnd: return try readChunkEnd()
    case .trailers: return try readTrailer()
    case .whole:
      state = .ended
      buffer.removeAll()
      return .end
    case .ended: return .incomplete
    case .malformed(let fault): throw fault
    }
  }

  private mutating func readStatusLine() throws(ResponseFault) -> Outcome? {
    guard let bytes = try nextLine(limit: limits.statusLine, "the status line is too long") else { return .incomplete }
    line = try StatusLine(bytes)
    headers = HeaderFields()
    (fieldBudget, fieldCount) = (limits.headerSection, 0)
    state = .fields
    return nil
  }

  private mutating func readFieldLine() throws(ResponseFault) -> Outcome? {
    guard let field = try nextField() else { return .incomplete }
    if case .field(let field) = field {
      headers.append(field.name, field.value)
      return nil
    }
    guard let line else { return .incomplete }
    if line.status.code < 200 {
      interimAnswers += 1
      guard interimAnswers <= limits.interimAnswers else { throw ResponseFault("too many interim answers") }
      guard line.status.code != 101 else { throw ResponseFault("another protocol, which nobody asked for") }
      state = .statusLine
      return nil
    }
    state = try stateAfterHead(of: line)
    return .head(line.status, headers)
  }

  /// How the content ends (RFC 9112 §6.3).
  private func stateAfterHead(of line: StatusLine) throws(ResponseFault) -> State {
    if answersHead || line.status.excludesBody { return .whole }
    if headers.first(.transferEncoding) == nil, headers.first(.contentLength) == nil { return .untilClose }
    do throws(RequestRefusal) {
      switch try BodyFraming(of: headers, version: line.version) {
      case .none: return .whole
      case .length(let length): return .content(remaining: length)
      case .chunked: return .chunkSize
      }
    } catch { throw ResponseFault(error) }
  }

  /// Hands out what has come of the content, and goes on with what is then left of `remaining`.
  private mutating func hand(upTo remaining: Int, _ next: (Int) -> State) -> Outcome {
    let taken = buffer.take(upTo: remaining)
    if taken.isEmpty { return .incomplete }
    state = next(remaining - taken.count)
    return .content(Array(taken))
  }

  private mutating func readChunkSize() throws(ResponseFault) -> Outcome? {
    let words = "the line with a chunk's size is too long"
    guard let bytes = try nextLine(limit: Self.chunkLineLimit, words) else { return .incomplete }
    let size: Int
    do throws(RequestRefusal) { size = try ChunkSize(bytes).size } catch { throw ResponseFault(error) }
    if size == 0 {
      (fieldBudget, fieldCount) = (limits.headerSection, 0)
      state = .trailers
    } else {
      state = .chunk(remaining: size)
    }
    return nil
  }

  private mutating func readChunkEnd() throws(ResponseFault) -> Outcome? {
    let words = "a chunk is longer than its size"
    guard let bytes = try nextLine(limit: 2, words) else { return .incomplete }
    guard bytes.isEmpty else { throw ResponseFault(words) }
    state = .chunkSize
    return nil
  }

  /// Trailers are read to find the end, judged like any field line, and dropped (RFC 9112 §7.1.2).
  private mutating func readTrailer() throws(ResponseFault) -> Outcome? {
    guard let field = try nextField() else { return .incomplete }
    if case .end = field { state = .whole }
    return nil
  }

  // MARK: Lines

  private mutating func nextLine(limit: Int, _ tooLong: String) throws(ResponseFault) -> ArraySlice<UInt8>? {
    switch buffer.nextLine(limit: limit) {
    case .incomplete: return nil
    case .line(let line): return line
    case .tooLong: throw ResponseFault(tooLong)
    case .malformed(let what): throw ResponseFault(what)
    }
  }

  private enum FieldLine {
    case field(HeaderFields.Field)
    /// The empty line behind the fields.
    case end
  }

  /// The next line of the header or trailer section, charged to its budget; nil if it is not whole yet.
  private mutating func nextField() throws(ResponseFault) -> FieldLine? {
    // The empty line at the end is not counted, hence the two bytes.
    guard let line = try nextLine(limit: fieldBudget + 2, "the header fields are too large") else { return nil }
    if line.isEmpty { return .end }
    fieldCount += 1
    fieldBudget -= line.count + 2
    guard fieldBudget >= 0, fieldCount <= limits.headerCount else { throw ResponseFault("too many header fields") }
    do throws(RequestRefusal) { return .field(try HeaderFields.Field(line: line)) } catch { throw ResponseFault(error) }
  }
}

/// The first line of an answer (RFC 9112 §4).
struct StatusLine {
  let version: HTTPVersion
  let status: StatusCode

  /// Reads a line without its CRLF: the version, the code, and a reason that means nothing but whose space must be there.
  init(_ line: ArraySlice<UInt8>) throws(ResponseFault) {
    let words = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false).map { Array($0) }
    guard words.count == 3 else { throw ResponseFault("the status line must be a version, a code and a reason") }
    let (version, code) = (words[0], words[1])
    guard version.count == 8, version.starts(with: "HTTP/1.".utf8), version[7].isDigit else {
      throw ResponseFault("the version of HTTP is not one of HTTP/1")
    }
    guard code.count == 3, code.allSatisfy(\.isDigit), let number = Int(String(decoding: code, as: UTF8.self)),
      (100...599).contains(number)
    else { throw ResponseFault("the status is not one of the classes 1 to 5") }
    self.version = version[7] == UInt8(ascii: "0") ? .http10 : .http11
    status = StatusCode(number)
  }
}

/// Why bytes are not taken as an answer. Nothing after them on the connection can be trusted.
package struct ResponseFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A few words; nothing in it came from the server.
  package let description: String

  init(_ description: String) { self.description = description }

  /// What both kinds of messages have in common is judged by the same rules.
  init(_ refusal: RequestRefusal) { self.init(refusal.reason) }
}
