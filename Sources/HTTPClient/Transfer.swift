internal import CCurl
internal import Dispatch
internal import HTTP

/// One request under way. Touched by the client's thread only, from the moment it was handed over.
final class Transfer {
  let request: ClientRequest
  let policy: ClientPolicy
  private let queue: DispatchQueue
  private let completion: @Sendable (Result<Response, ClientError>) -> Void

  private(set) var headers = HeaderFields()
  private(set) var body: [UInt8] = []
  private var headerBytes = 0
  /// Why the transfer was stopped from our side, if it was.
  private var refusal: String?
  /// Why the last address that was to be connected to was not, if there was one like that.
  private var refusedAddress: String?

  init(
    _ request: ClientRequest, policy: ClientPolicy, queue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, ClientError>) -> Void
  ) {
    self.request = request
    self.policy = policy
    self.queue = queue
    self.completion = completion
  }

  private var bodyLimit: Int { request.rules.bodyLimit ?? policy.responseLimit }

  /// Whether an address may be connected to, which is about to happen; for a request whose reach is judged.
  func mayConnect(to address: NetworkAddress?) -> Bool {
    guard let refusal = request.reach?.refusal(of: address) else { return true }
    refusedAddress = refusal
    return false
  }

  /// Takes a piece of the body. `false` stops the transfer.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= bodyLimit else {
      refusal = "more than \(bodyLimit >> 10) KiB"
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }

  /// Takes a header line, status line or the empty line that ends a header. `false` stops the transfer.
  func take(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= policy.headerLimit else {
      refusal = "more than \(policy.headerLimit >> 10) KiB of header fields"
      return false
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    // A new status line begins a new message: what came before was an interim answer.
    if line.hasPrefix("HTTP/") { headers = HeaderFields() }
    if let colon = line.firstIndex(of: ":"), let name = FieldName(line[..<colon]) {
      let value = line[line.index(after: colon)...]
      // A field that breaks the rules says nothing that we would want to read.
      if let value = FieldValue(String(value.trimmingPrefix(while: \.isWhitespace).trimmingSuffix())) {
        headers.append(name, value)
      }
    }
    return true
  }

  /// Delivers the outcome, asynchronously, on the queue of whoever asked.
  /// - Parameter wasSent: whether a connection was there to send the request on.
  func finish(_ code: CURLcode, status: Int, words: String, wasSent: Bool) {
    let outcome: Result<Response, ClientError>
    if code == CURLE_OK, (100...599).contains(status) {
      outcome = .success(Response(status: StatusCode(status), headers: headers, body: body))
    } else if let refusal {
      outcome = .failure(error(.tooLarge, refusal))
    } else if let refusedAddress, !wasSent {
      outcome = .failure(error(.forbidden, refusedAddress, wasSent: false))
    } else {
      outcome = .failure(
        error(
          ClientError.Kind(code, wasSent: wasSent), words,
          advice: ClientAdvice.after(code, words: words, namesAuthorities: policy.namesAuthorities), wasSent: wasSent,
          received: received(status: status)))
    }
    deliver(outcome)
  }

  /// - Parameter status: of what had come of an answer; 0 when nothing had.
  func cancel(status: Int) { deliver(.failure(error(.cancelled, "", received: received(status: status)))) }

  /// Nothing was asked, and why.
  func refuse(_ words: String, _ kind: ClientError.Kind = .unsendable) {
    deliver(.failure(error(kind, words, wasSent: false)))
  }

  private func received(status: Int) -> Response? {
    guard request.rules.keepsPartial, !body.isEmpty, (200...599).contains(status) else { return nil }
    return Response(status: StatusCode(status), headers: headers, body: body)
  }

  private func deliver(_ outcome: Result<Response, ClientError>) {
    queue.async { [completion] in completion(outcome) }
  }

  private func error(
    _ kind: ClientError.Kind, _ words: String, advice: String? = nil, wasSent: Bool = true, received: Response? = nil
  ) -> ClientError {
    ClientError(
      kind: kind, server: request.server, words: words, advice: advice, wasSent: wasSent, received: received)
  }
}

extension ClientRequest {
  /// Host and port of the URL.
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
    // Of a request that went out it is the answer's protocol that nobody knows.
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
