internal import CCurl
internal import Dispatch
internal import HTTP

/// A running request. Once it has been passed to the client's thread, it is used only there.
final class Transfer {
  private(set) var request: ClientRequest
  let policy: ClientPolicy
  private let queue: DispatchQueue
  private let completion: @Sendable (Result<Response, ClientError>) -> Void

  private(set) var headers = HeaderFields()
  private(set) var body: [UInt8] = []
  private var headerBytes = 0
  /// The reason this client aborted the transfer.
  private var limitExceeded: String?
  /// The reason the last address was not connected to.
  private var forbiddenAddress: String?
  /// The reason a streamed body could not be read or written.
  private var localFailure: String?
  /// The status of the current message.
  private var status = 0
  /// Whether the receiver accepts the body; nil before the body begins.
  private var isReceiving: Bool?
  /// The number of bytes read from the streamed body.
  private var sent = 0

  init(
    _ request: ClientRequest, policy: ClientPolicy, queue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, ClientError>) -> Void
  ) {
    var request = request
    request.encodeForm()
    self.request = request
    self.policy = policy
    self.queue = queue
    self.completion = completion
  }

  private var bodyLimit: Int { request.rules.bodyLimit ?? policy.responseLimit }

  /// Returns whether the address policy allows a connection to an address.
  func mayConnect(to address: NetworkAddress?) -> Bool {
    guard let reason = request.addressPolicy?.objection(to: address) else { return true }
    forbiddenAddress = reason
    return false
  }

  /// Fills a buffer with the next bytes of the streamed body.
  /// - Returns: the number of bytes; nil to stop the transfer.
  func fill(_ space: UnsafeMutableRawBufferPointer) -> Int? {
    guard let source = request.streamedBody, sent < source.count else { return 0 }
    do {
      let wanted = min(space.count, source.count - sent)
      let count = unsafe try source.read(UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]))
      guard count > 0 else {
        localFailure = "the file became shorter while it was being sent"
        return nil
      }
      sent += count
      return count
    } catch {
      localFailure = "\(error)"
      return nil
    }
  }

  /// Passes the head to the receiver, once.
  /// - Returns: whether the receiver accepts the body.
  private func beginBody() -> Bool {
    if let isReceiving { return isReceiving }
    let takes = status > 0 && request.receiver?.begin(StatusCode(status), headers) ?? false
    isReceiving = takes
    return takes
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, _ receiver: BodyReceiver) -> Bool {
    do {
      if unsafe try receiver.receive(bytes) { return true }
      limitExceeded = "more bytes than expected"
    } catch { localFailure = "\(error)" }
    return false
  }

  /// Receives a piece of the body. Returns false to abort the transfer.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    if let receiver = request.receiver, beginBody() { return unsafe receive(bytes, receiver) }
    guard body.count + bytes.count <= bodyLimit else {
      limitExceeded = "more than \(bodyLimit >> 10) KiB"
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }

  /// Receives a header line, a status line or the empty line after a header. Returns false to abort the transfer.
  func take(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= policy.headerLimit else {
      limitExceeded = "more than \(policy.headerLimit >> 10) KiB of header fields"
      return false
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    // A status line starts a new message; the previous message was an interim response.
    if line.hasPrefix("HTTP/") {
      headers = HeaderFields()
      let code = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
      status = (100...599).contains(code) ? code : 0
    }
    if let colon = line.firstIndex(of: ":"), let name = FieldName(line[..<colon]) {
      let value = line[line.index(after: colon)...]
      // Invalid fields are ignored.
      if let value = FieldValue(String(value.trimmingPrefix(while: \.isWhitespace).trimmingSuffix())) {
        headers.append(name, value)
      }
    }
    return true
  }

  /// The names in the response's `Content-Encoding`.
  var codings: ContentCodings { ContentCodings(of: headers) }

  /// Prepares for a request without compression.
  func makeVerbatim() {
    request.rules.isVerbatim = true
    (headers, headerBytes, status) = (HeaderFields(), 0, 0)
  }

  /// Whether the request may be sent again, because it changes nothing and no part of the response has been used.
  var isRepeatable: Bool { request.method == .get && request.receiver == nil && body.isEmpty }

  /// Whether libcurl has decoded the whole content, and only reports the bytes that follow it. gzip(1) ignores them too.
  private func isComplete(_ code: CURLcode) -> Bool {
    code == CURLE_OK
      || code == CURLE_WRITE_ERROR && limitExceeded == nil && localFailure == nil && request.receiver == nil
        && codings.isGzip
  }

  /// Delivers the outcome asynchronously on the caller's queue.
  /// - Parameter wasSent: whether a connection was ready to send the request.
  func finish(_ code: CURLcode, status: Int, message: String, wasSent: Bool) {
    let outcome: Result<Response, ClientError>
    if isComplete(code), (100...599).contains(status) {
      if request.receiver != nil { _ = beginBody() }
      outcome = .success(Response(status: StatusCode(status), headers: headers, body: body))
    } else if let localFailure {
      outcome = .failure(error(.local, localFailure))
    } else if let limitExceeded {
      outcome = .failure(error(.tooLarge, limitExceeded))
    } else if let forbiddenAddress, !wasSent {
      outcome = .failure(error(.forbidden, forbiddenAddress, wasSent: false))
    } else if code == CURLE_BAD_CONTENT_ENCODING, let coding = codings.unknown {
      outcome = .failure(error(.undecodable, coding, received: received(status: status)))
    } else {
      outcome = .failure(
        error(
          ClientError.Kind(code, wasSent: wasSent), message,
          advice: ClientAdvice.after(code, message: message, namesAuthorities: policy.namesAuthorities),
          wasSent: wasSent,
          received: received(status: status)))
    }
    deliver(outcome)
  }

  /// Reports that the request was cancelled.
  /// - Parameter status: the status of a partial response; 0 if none was received.
  func cancel(status: Int) { deliver(.failure(error(.cancelled, "", received: received(status: status)))) }

  /// Fails a request that was not sent.
  func fail(_ message: String, _ kind: ClientError.Kind = .unsendable) {
    deliver(.failure(error(kind, message, wasSent: false)))
  }

  private func received(status: Int) -> Response? {
    guard request.rules.keepsPartial, !body.isEmpty, (200...599).contains(status) else { return nil }
    return Response(status: StatusCode(status), headers: headers, body: body)
  }

  private func deliver(_ outcome: Result<Response, ClientError>) {
    queue.async { [completion] in completion(outcome) }
  }

  private func error(
    _ kind: ClientError.Kind, _ message: String, advice: String? = nil, wasSent: Bool = true, received: Response? = nil
  ) -> ClientError {
    ClientError(
      kind: kind, server: request.server, message: message, advice: advice, wasSent: wasSent, received: received)
  }
}

extension ClientRequest {
  /// The host and port of the URL.
  var server: String {
    let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}

extension Substring {
  fileprivate func trimmingSuffix() -> Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}

extension ClientError.Kind {
  fileprivate init(_ code: CURLcode, wasSent: Bool) {
    switch code {
    // If the request was sent, the response has the unsupported protocol.
    case CURLE_UNSUPPORTED_PROTOCOL where wasSent: self = .broken
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
      self = .unreachable
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .tls
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY: self = .unsendable
    case CURLE_ABORTED_BY_CALLBACK: self = .cancelled
    default: self = .broken
    }
  }
}
