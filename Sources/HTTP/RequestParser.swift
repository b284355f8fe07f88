/// Reads requests out of bytes as they come (RFC 9112 §2 to §7): feed it, then ask for outcomes until it answers
/// `incomplete`. It is strict wherever leniency would let two recipients see different messages.
///
/// It keeps what it was fed and did not use: who feeds it bounds that by asking before feeding more.
package struct RequestParser: Sendable {
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// The client waits for `100 Continue` before it sends its content (RFC 9110 §10.1.1); said once.
    case continueExpected
    /// A whole request; bytes behind it are the next one's.
    case request(Request)
    /// No request, nor will there be another one.
    case refused(RequestRefusal)
  }

  private enum State {
    case requestLine
    case fields
    case content(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    /// A request was handed out whose content is not read.
    case ended
    case refused(RequestRefusal)
  }

  /// The most bytes of one line with a chunk's size, and of all extensions in a message: nobody uses them, and
  /// they would otherwise be content without a limit (RFC 9112 §7.1.1).
  private static let chunkLineLimit = 256
  private static let chunkExtensionLimit = 1024

  let limits: Limits
  private var buffer = LineBuffer()
  private var state = State.requestLine
  /// Whether the empty line was met that may precede a request line.
  private var sawEmptyLine = false
  /// The request in the making, from its first line on.
  private var draft: Request?
  /// What field lines, or trailers, may still take.
  private var fieldBudget = 0
  private var fieldCount = 0
  private var chunkExtensions = 0

  package init(limits: Limits) { self.limits = limits }

  /// Whether nothing of a further request has come.
  package var isIdle: Bool {
    guard case .requestLine = state else { return false }
    return buffer.isEmpty
  }

  /// Takes bytes in, whatever their cut.
  package mutating func feed(_ bytes: some Collection<UInt8>) {
    switch state {
    case .ended, .refused: break
    default: buffer.append(bytes)
    }
  }

  /// What the bytes fed so far come to.
  package mutating func next() -> Outcome {
    do throws(RequestRefusal) {
      while true {
        if let outcome = try step() { return outcome }
      }
    } catch {
      state = .refused(error)
      buffer.removeAll()
      draft = nil
      return .refused(error)
    }
  }

  /// Does one piece of work; nil means that there may be more to do.
  private mutating func step() throws(RequestRefusal) -> Outcome? {
    switch state {
    case .requestLine: try readRequestLine()
    case .fields: try readFieldLine()
    case .content(let remaining): readContent(remaining)
    case .chunkSize: try readChunkSize()
    case .chunk(let remaining): readChunk(remaining)
    case .chunkEnd: try readChunkEnd()
    case .trailers: try readTrailer()
    case .ended: .incomplete
    case .refused(let refusal): throw refusal
    }
  }

  private mutating func readRequestLine() throws(RequestRefusal) -> Outcome? {
    let line: ArraySlice<UInt8>
    switch buffer.nextLine(limit: limits.requestLine) {
    case .incomplete: return .incomplete
    case .line(let whole): line = whole
    case .malformed(let what): throw RequestRefusal(.badRequest, what)
    case .tooLong:
      throw buffer.frontHoldsSpace
        ? RequestRefusal(.uriTooLong, "the request line is too long")
        : RequestRefusal(.notImplemented, "the method is too long")  // RFC 9112 §3
    }
    if line.isEmpty, !sawEmptyLine {
      sawEmptyLine = true  // RFC 9112 §2.2: at least one is let pass.
      return nil
    }
    let parsed = try RequestLine(line)
    draft = Request(method: parsed.method, target: parsed.target, version: parsed.version)
    (fieldBudget, fieldCount) = (limits.headerSection, 0)
    state = .fields
    return nil
  }

  private mutating func readFieldLine() throws(RequestRefusal) -> Outcome? {
    guard let line = try nextFieldLine() else { return .incomplete }
    if line.isEmpty { return try finishHead() }
    let field = try HeaderFields.Field(line: line)
    draft?.headers.append(field.name, field.value)
    return nil
  }

  /// The next line of the header or trailer section, charged to its budget; nil if it is not whole yet.
  private mutating func nextFieldLine() throws(RequestRefusal) -> ArraySlice<UInt8>? {
    // The empty line at the end is not counted, hence the two bytes.
    switch buffer.nextLine(limit: fieldBudget + 2) {
    case .incomplete: return nil
    case .malformed(let what): throw RequestRefusal(.badRequest, what)
    case .tooLong: throw RequestRefusal(.requestHeaderFieldsTooLarge, "the header fields are too large")
    case .line(let line):
      guard !line.isEmpty else { return line }
      fieldCount += 1
      fieldBudget -= line.count + 2
      guard fieldBudget >= 0, fieldCount <= limits.headerCount else {
        throw RequestRefusal(.requestHeaderFieldsTooLarge, "too many header fields")
      }
      return line
    }
  }

  private mutating func finishHead() throws(RequestRefusal) -> Outcome? {
    guard let request = draft else { return .incomplete }
    try HostField.judge(request)
    let framing = try BodyFraming(of: request.headers, version: request.version)
    if framing == .none { return finish() }
    if limits.body == 0 {
      draft?.announcesBody = true
      return finish()
    }
    switch framing {
    case .none: break
    case .length(let length):
      guard length <= limits.body else { throw Self.contentTooLarge }
      state = .content(remaining: length)
    case .chunked:
      chunkExtensions = 0
      state = .chunkSize
    }
    let waits = request.version == .http11 && request.headers.lists("100-continue", in: .expect)
    return waits ? .continueExpected : nil
  }

  private static let contentTooLarge = RequestRefusal(.contentTooLarge, "the content is too large")

  private mutating func readContent(_ remaining: Int) -> Outcome? {
    let taken = buffer.take(upTo: remaining)
    draft?.body.append(contentsOf: taken)
    if taken.count == remaining { return finish() }
    state = .content(remaining: remaining - taken.count)
    return .incomplete
  }

  private mutating func readChunkSize() throws(RequestRefusal) -> Outcome? {
    let line: ArraySlice<UInt8>
    switch buffer.nextLine(limit: Self.chunkLineLimit) {
    case .incomplete: return .incomplete
    case .line(let whole): line = whole
    case .malformed(let what): throw RequestRefusal(.badRequest, what)
    case .tooLong: throw RequestRefusal(.badRequest, "the line with a chunk's size is too long")
    }
    let chunk = try ChunkSize(line)
    chunkExtensions += chunk.extensionLength
    guard chunkExtensions <= Self.chunkExtensionLimit else {
      throw RequestRefusal(.badRequest, "too many chunk extensions")
    }
    guard chunk.size <= limits.body - (draft?.body.count ?? 0) else { throw Self.contentTooLarge }
    if chunk.size == 0 {
      (fieldBudget, fieldCount) = (limits.headerSection, 0)
      state = .trailers
    } else {
      state = .chunk(remaining: chunk.size)
    }
    return nil
  }

  private mutating func readChunk(_ remaining: Int) -> Outcome? {
    let taken = buffer.take(upTo: remaining)
    draft?.body.append(contentsOf: taken)
    guard taken.count == remaining else {
      state = .chunk(remaining: remaining - taken.count)
      return .incomplete
    }
    state = .chunkEnd
    return nil
  }

  private mutating func readChunkEnd() throws(RequestRefusal) -> Outcome? {
    switch buffer.nextLine(limit: 2) {
    case .incomplete: return .incomplete
    case .line(let line) where line.isEmpty:
      state = .chunkSize
      return nil
    case .line, .tooLong, .malformed:
      throw RequestRefusal(.badRequest, "a chunk is longer than its size")
    }
  }

  /// Trailers are read to find the end, judged like any field line, and dropped (RFC 9112 §7.1.2).
  private mutating func readTrailer() throws(RequestRefusal) -> Outcome? {
    guard let line = try nextFieldLine() else { return .incomplete }
    if line.isEmpty { return finish() }
    _ = try HeaderFields.Field(line: line)
    return nil
  }

  private mutating func finish() -> Outcome {
    guard let request = draft else { return .incomplete }
    draft = nil
    sawEmptyLine = false
    state = .requestLine
    if request.announcesBody {
      state = .ended
      buffer.removeAll()
    }
    return .request(request)
  }
}

/// The first line of a request (RFC 9112 §3).
struct RequestLine {
  let method: RequestMethod
  let target: RequestTarget
  let version: HTTPVersion

  /// Reads a line without its CRLF: three words with one space between each, nothing more lenient.
  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let first = line.firstIndex(of: .space), let second = line.lastIndex(of: .space), first < second,
      !line[(first + 1)..<second].contains(.space)
    else { throw RequestRefusal(.badRequest, "the request line must be a method, a target and a version") }
    guard let method = RequestMethod(String(decoding: line[..<first], as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "the method is not a token")
    }
    version = try Self.version(line[(second + 1)...])
    let written = String(decoding: line[(first + 1)..<second], as: UTF8.self)
    guard let target = RequestTarget(written, of: method) else {
      throw RequestRefusal(.badRequest, "the request target is malformed")
    }
    self.method = method
    self.target = target
  }

  /// `HTTP/1.0` is itself, a higher minor version is spoken to as 1.1 (RFC 9110 §2.5).
  private static func version(_ word: ArraySlice<UInt8>) throws(RequestRefusal) -> HTTPVersion {
    let word = Array(word)
    guard word.count == 8, word.starts(with: "HTTP/".utf8), word[5].isDigit, word[6] == UInt8(ascii: "."),
      word[7].isDigit
    else { throw RequestRefusal(.badRequest, "the version of HTTP is malformed") }
    guard word[5] == UInt8(ascii: "1") else {
      throw RequestRefusal(.httpVersionNotSupported, "HTTP/1.1 is spoken here")
    }
    return word[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}

extension RequestParser {
  /// How much of a request is taken; what goes beyond is refused.
  package struct Limits: Equatable, Sendable {
    /// Bytes of the request line with its CRLF. RFC 9112 §3 wants at least 8,000.
    var requestLine: Int
    /// Bytes of all header field lines with their CRLFs; as much again is allowed for trailers.
    var headerSection: Int
    package var headerCount: Int
    /// Bytes of content. 0 takes none: a request that announces some comes out with `announcesBody`.
    package var body: Int

    package init(requestLine: Int = 8192, headerSection: Int = 16384, headerCount: Int = 100, body: Int) {
      self.requestLine = requestLine
      self.headerSection = headerSection
      self.headerCount = headerCount
      self.body = body
    }

    /// The callback of a login: a GET from a browser, whose cookies for this host are the largest thing in it.
    package static let callback = Limits(body: 0)
    /// The control protocol: small JSON documents.
    package static let control = Limits(body: 64 * 1024)
    /// The embedded provider: forms and posts.
    package static let sandbox = Limits(body: 1024 * 1024)
  }
}

/// The rules about `Host` in a request (RFC 9112 §3.2).
enum HostField {
  /// Refuses a request of HTTP/1.1 that does not have exactly one, any with several, and any with a malformed one.
  static func judge(_ request: Request) throws(RequestRefusal) {
    let hosts = request.headers.all(.host)
    guard let host = hosts.first else {
      guard request.version == .http10 else { throw RequestRefusal(.badRequest, "a request needs a Host field") }
      return
    }
    guard hosts.count == 1 else { throw RequestRefusal(.badRequest, "several Host fields") }
    guard Authority(host) != nil else { throw RequestRefusal(.badRequest, "the Host field is malformed") }
  }
}
