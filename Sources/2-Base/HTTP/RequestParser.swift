/// Parses requests from bytes as they arrive (RFC 9112 §2 to §7). Call `feed(_:)`, then `next()` until it returns `incomplete`.
///
/// The parser refuses anything that two recipients could interpret differently. It buffers unused input without a limit, so call `next()`
/// before feeding more.
package struct RequestParser: Sendable {
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// The head of a request that has content, if the parser was created to ask for each request's limit. ``admit(_:)`` must be called
    /// before the next outcome is requested.
    case head(Request)
    /// The client is waiting for `100 Continue` before sending its content (RFC 9110 §10.1.1). Returned once per request.
    case continueExpected
    /// The content is longer than the request may hold, so it follows in pieces. The length is nil if the client has not announced it.
    case contentBegan(length: Int?)
    /// A piece of the content, of at least one byte.
    case content([UInt8])
    /// A complete request, whose body is empty if the content was returned in pieces. Bytes after it belong to the next request.
    case request(Request)
    /// The input is not a valid request. Parsing cannot continue.
    case refused(RequestError)
  }

  private enum State {
    case requestLine
    case fields
    /// Waiting for ``RequestParser/admit(_:)``.
    case awaitingLimit
    case admitted
    /// The client must be sent `100 Continue` before its content of this length.
    case continueDue(length: Int)
    case content(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    /// The last request announced content, which is not read.
    case ended
    case refused(RequestError)
  }

  /// The maximum length of a chunk-size line, and of all chunk extensions of a message. Extensions are ignored, but a client could
  /// otherwise use them to send unlimited data (RFC 9112 §7.1.1).
  private static let chunkLineLimit = 256
  private static let chunkExtensionLimit = 1024

  let limits: Limits
  private let asksForLimits: Bool
  private var buffer = LineBuffer()
  private var state = State.requestLine
  /// Whether the empty line that may precede a request line has been read.
  private var sawEmptyLine = false
  /// The request under construction, set once its first line is complete.
  private var draft: Request?
  /// The number of bytes left for field lines or trailers.
  private var fieldBudget = 0
  private var fieldCount = 0
  private var chunkExtensions = 0
  /// The framing and the limit of the current request's content.
  private var framing = BodyFraming.none
  private var contentLimit = ContentLimit(total: 0)
  /// The length of the content read so far.
  private var contentLength = 0
  /// Whether the content is returned in pieces.
  private var isInPieces = false

  /// - Parameter asksForLimits: whether each request with content gets its own limit instead of `Limits.body`.
  package init(limits: Limits, asksForLimits: Bool = false) {
    self.limits = limits
    self.asksForLimits = asksForLimits
  }

  /// Whether no byte of another request has been received.
  package var isIdle: Bool {
    guard case .requestLine = state else { return false }
    return buffer.isEmpty
  }

  /// The request whose content is incomplete, with the content received so far and the number of missing bytes. Nil if there is no such
  /// request, or the length of its content is unknown.
  package var partial: (request: Request, missing: Int)? {
    guard case .content(let remaining) = state, let draft else { return nil }
    return (draft, remaining)
  }

  /// Adds received bytes to the buffer.
  package mutating func feed(_ bytes: some Collection<UInt8>) {
    switch state {
    case .ended, .refused: break
    default: buffer.append(bytes)
    }
  }

  /// Returns the next outcome of the bytes fed so far.
  package mutating func next() -> Outcome {
    do throws(RequestError) {
      while true {
        if let outcome = try step() { return outcome }
      }
    } catch {
      state = .refused(error)
      buffer.removeAll()
      draft = nil
      isInPieces = false
      return .refused(error)
    }
  }

  /// Parses the next part of the message. Returns nil if there may be more to parse.
  private mutating func step() throws(RequestError) -> Outcome? {
    // Content that the request held until it became too long.
    if isInPieces, let content = draft?.body, !content.isEmpty {
      draft?.body = []
      return .content(content)
    }
    return switch state {
    case .requestLine: try readRequestLine()
    case .fields: try readFieldLine()
    case .awaitingLimit: preconditionFailure("the limit of the request's content is missing")
    case .admitted: try beginContent()
    case .continueDue(let length): tellToContinue(length)
    case .content(let remaining): readContent(remaining)
    case .chunkSize: try readChunkSize()
    case .chunk(let remaining): readChunk(remaining)
    case .chunkEnd: try readChunkEnd()
    case .trailers: try readTrailer()
    case .ended: .incomplete
    case .refused(let error): throw error
    }
  }

  private mutating func readRequestLine() throws(RequestError) -> Outcome? {
    let line: ArraySlice<UInt8>
    switch buffer.nextLine(limit: limits.requestLine) {
    case .incomplete: return .incomplete
    case .line(let whole): line = whole
    case .malformed(let description): throw RequestError(.badRequest, description)
    case .tooLong:
      throw buffer.containsSpace
        ? RequestError(.uriTooLong, "the request line is too long")
        : RequestError(.notImplemented, "the method is too long")  // RFC 9112 §3
    }
    if line.isEmpty, !sawEmptyLine {
      sawEmptyLine = true  // A server should ignore at least one (RFC 9112 §2.2).
      return nil
    }
    let parsed = try RequestLine(line)
    draft = Request(method: parsed.method, target: parsed.target, version: parsed.version)
    (fieldBudget, fieldCount) = (limits.headerSection, 0)
    state = .fields
    return nil
  }

  private mutating func readFieldLine() throws(RequestError) -> Outcome? {
    guard let line = try nextFieldLine() else { return .incomplete }
    if line.isEmpty { return try finishHead() }
    let field = try HeaderFields.Field(line: line)
    draft?.headers.append(field.name, field.value)
    return nil
  }

  /// Returns the next line of the header or trailer section and counts it against the section's limit; nil if the line is incomplete.
  private mutating func nextFieldLine() throws(RequestError) -> ArraySlice<UInt8>? {
    // The two extra bytes are for the empty line at the end of the section, which is not counted.
    switch buffer.nextLine(limit: fieldBudget + 2) {
    case .incomplete: return nil
    case .malformed(let description): throw RequestError(.badRequest, description)
    case .tooLong: throw RequestError(.requestHeaderFieldsTooLarge, "the header fields are too large")
    case .line(let line):
      guard !line.isEmpty else { return line }
      fieldCount += 1
      fieldBudget -= line.count + 2
      guard fieldBudget >= 0, fieldCount <= limits.headerCount else {
        throw RequestError(.requestHeaderFieldsTooLarge, "too many header fields")
      }
      return line
    }
  }

  private mutating func finishHead() throws(RequestError) -> Outcome? {
    guard let request = draft else { return .incomplete }
    try HostField.validate(request)
    let framing = try BodyFraming(of: request.headers, version: request.version)
    if framing == .none { return finish() }
    self.framing = framing
    if asksForLimits { return askForLimit() }
    contentLimit = ContentLimit(total: limits.body)
    return try beginContent()
  }

  // Not part of `finishHead`, where it would copy every request once more.
  private mutating func askForLimit() -> Outcome {
    guard let request = draft else { return .incomplete }
    state = .awaitingLimit
    return .head(request)
  }

  /// Sets the limit of the content of the request whose head was returned last.
  package mutating func admit(_ limit: ContentLimit) {
    guard case .awaitingLimit = state else { preconditionFailure("no request is waiting for its limit") }
    contentLimit = limit
    state = .admitted
  }

  private mutating func beginContent() throws(RequestError) -> Outcome? {
    guard let request = draft else { return .incomplete }
    if contentLimit.total == 0 {
      draft?.announcesBody = true
      return finish()
    }
    contentLength = 0
    let waits = request.version == .http11 && request.headers.lists("100-continue", in: .expect)
    switch framing {
    case .none: break
    case .length(let length):
      guard length <= contentLimit.total else { throw contentTooLarge }
      state = .content(remaining: length)
      if length > contentLimit.inRequest {
        isInPieces = true
        if waits { state = .continueDue(length: length) }
        return .contentBegan(length: length)
      }
    case .chunked:
      chunkExtensions = 0
      state = .chunkSize
    }
    return waits ? .continueExpected : nil
  }

  private mutating func tellToContinue(_ length: Int) -> Outcome {
    state = .content(remaining: length)
    return .continueExpected
  }

  private var contentTooLarge: RequestError {
    RequestError(.contentTooLarge, "the content is larger than \(ByteCount.text(contentLimit.total))")
  }

  private mutating func readContent(_ remaining: Int) -> Outcome? {
    if remaining == 0 { return finish() }
    let content = buffer.take(upTo: remaining)
    if content.isEmpty { return .incomplete }
    state = .content(remaining: remaining - content.count)
    return keep(content)
  }

  /// Adds content to the request, or returns it as a piece.
  private mutating func keep(_ content: ArraySlice<UInt8>) -> Outcome? {
    contentLength += content.count
    if isInPieces { return .content(Array(content)) }
    draft?.body.append(contentsOf: content)
    guard contentLength > contentLimit.inRequest else { return nil }
    isInPieces = true
    return .contentBegan(length: nil)
  }

  private mutating func readChunkSize() throws(RequestError) -> Outcome? {
    let line: ArraySlice<UInt8>
    switch buffer.nextLine(limit: Self.chunkLineLimit) {
    case .incomplete: return .incomplete
    case .line(let whole): line = whole
    case .malformed(let description): throw RequestError(.badRequest, description)
    case .tooLong: throw RequestError(.badRequest, "a chunk-size line is too long")
    }
    let chunk = try ChunkSize(line)
    chunkExtensions += chunk.extensionLength
    guard chunkExtensions <= Self.chunkExtensionLimit else {
      throw RequestError(.badRequest, "the chunk extensions are too long")
    }
    guard chunk.size <= contentLimit.total - contentLength else { throw contentTooLarge }
    if chunk.size == 0 {
      (fieldBudget, fieldCount) = (limits.headerSection, 0)
      state = .trailers
    } else {
      state = .chunk(remaining: chunk.size)
    }
    return nil
  }

  private mutating func readChunk(_ remaining: Int) -> Outcome? {
    let content = buffer.take(upTo: remaining)
    if content.isEmpty { return .incomplete }
    state = content.count == remaining ? .chunkEnd : .chunk(remaining: remaining - content.count)
    return keep(content)
  }

  private mutating func readChunkEnd() throws(RequestError) -> Outcome? {
    switch buffer.nextLine(limit: 2) {
    case .incomplete: return .incomplete
    case .line(let line) where line.isEmpty:
      state = .chunkSize
      return nil
    case .line, .tooLong, .malformed:
      throw RequestError(.badRequest, "a chunk is longer than its declared size")
    }
  }

  /// Validates a trailer field and discards it (RFC 9112 §7.1.2).
  private mutating func readTrailer() throws(RequestError) -> Outcome? {
    guard let line = try nextFieldLine() else { return .incomplete }
    if line.isEmpty { return finish() }
    _ = try HeaderFields.Field(line: line)
    return nil
  }

  private mutating func finish() -> Outcome {
    guard let request = draft else { return .incomplete }
    draft = nil
    isInPieces = false
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

  /// Parses a line without its CRLF: a method, a target and a version, separated by single spaces.
  init(_ line: ArraySlice<UInt8>) throws(RequestError) {
    guard let first = line.firstIndex(of: .space), let second = line.lastIndex(of: .space), first < second,
      !line[(first + 1)..<second].contains(.space)
    else { throw RequestError(.badRequest, "the request line must consist of a method, a target and a version") }
    guard let method = RequestMethod(String(decoding: line[..<first], as: UTF8.self)) else {
      throw RequestError(.badRequest, "the method is not a token")
    }
    version = try Self.version(line[(second + 1)...])
    let text = String(decoding: line[(first + 1)..<second], as: UTF8.self)
    guard let target = RequestTarget(text, of: method) else {
      throw RequestError(.badRequest, "the request target is malformed")
    }
    self.method = method
    self.target = target
  }

  /// Parses the version. Minor versions above 1 are treated as HTTP/1.1 (RFC 9110 §2.5).
  private static func version(_ text: ArraySlice<UInt8>) throws(RequestError) -> HTTPVersion {
    let text = Array(text)
    guard text.count == 8, text.starts(with: "HTTP/".utf8), text[5].isDigit, text[6] == UInt8(ascii: "."),
      text[7].isDigit
    else { throw RequestError(.badRequest, "the HTTP version is malformed") }
    guard text[5] == UInt8(ascii: "1") else {
      throw RequestError(.httpVersionNotSupported, "only HTTP/1.1 and HTTP/1.0 are supported")
    }
    return text[7] == UInt8(ascii: "0") ? .http10 : .http11
  }
}

extension RequestParser {
  /// Limits on the size of a request.
  package struct Limits: Equatable, Sendable {
    /// The maximum length of the request line in bytes, including its CRLF. RFC 9112 §3 recommends at least 8,000.
    var requestLine: Int
    /// The maximum length of all header field lines in bytes, including their CRLFs. The same limit applies separately to the trailers.
    var headerSection: Int
    package var headerCount: Int
    /// The maximum length of the content in bytes. If it is 0, no content is read, and `announcesBody` is true for a request that announces
    /// content.
    package var body: Int

    package init(requestLine: Int = 8192, headerSection: Int = 16384, headerCount: Int = 100, body: Int) {
      self.requestLine = requestLine
      self.headerSection = headerSection
      self.headerCount = headerCount
      self.body = body
    }

    /// The limits for login callbacks, which are GET requests from a browser. The largest part of such a request is the browser's cookies
    /// for this host.
    package static let callback = Limits(body: 0)
    /// The limits for the control protocol, whose requests are small JSON documents.
    package static let control = Limits(body: 64 * 1024)
    /// The limits for the web page, whose forms are small.
    package static let web = Limits(body: 64 * 1024)
    /// The limits for the simulated providers, which receive forms and posts.
    package static let sandbox = Limits(body: 1024 * 1024)
  }
}

/// The rules for `Host` in a request (RFC 9112 §3.2).
enum HostField {
  /// Checks the `Host` fields of a request.
  /// - Throws: `RequestError` if an HTTP/1.1 request has no `Host` field, or if any request has several or a malformed one.
  static func validate(_ request: Request) throws(RequestError) {
    let hosts = request.headers.all(.host)
    guard let host = hosts.first else {
      guard request.version == .http10 else { throw RequestError(.badRequest, "the Host field is missing") }
      return
    }
    guard hosts.count == 1 else { throw RequestError(.badRequest, "more than one Host field") }
    guard Authority(host) != nil else { throw RequestError(.badRequest, "the Host field is malformed") }
  }
}
