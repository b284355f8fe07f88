internal import CCurl
package import Dispatch
internal import HTTP
internal import Platform

/// Downloads a file with GET, without credentials or cookies. Follows redirects and resumes an interrupted transfer (RFC 9110 §14). Use it
/// only on the queue that it was created with.
package final class Download {
  package enum Outcome: Sendable {
    /// The complete file.
    case complete([UInt8])
    /// The server, or one of this client's rules, refused the download for this reason.
    case refused(String)
    /// The transfer was interrupted. If the download can be resumed, the part contains everything received so far.
    case interrupted(DownloadPart?, ClientError)
    /// The server sent less than requested. The part contains everything received so far.
    case unfinished(DownloadPart)
  }

  private let client: Client
  private let rules: DownloadRules
  private let queue: DispatchQueue
  private let completion: (Outcome) -> Void
  private var part: DownloadPart?
  private var url: String
  private var redirectsLeft: Int
  private var ticket: Client.Ticket?

  /// Starts the download. Call this on `queue`; the completion is called once, later, on the same queue.
  /// - Parameter part: the part received by an earlier transfer.
  package init(
    _ url: String, after part: DownloadPart?, _ rules: DownloadRules, by client: Client, on queue: DispatchQueue,
    completion: @escaping (Outcome) -> Void
  ) {
    self.client = client
    self.rules = rules
    self.queue = queue
    self.completion = completion
    self.part = part
    self.url = url
    redirectsLeft = rules.redirects
    send()
  }

  /// Cancels the download. The completion receives `.interrupted` with the part received so far.
  package func cancel() { ticket?.cancel() }

  private func send() {
    guard rules.allows(url), let accepts = FieldValue(rules.accepts) else {
      let box = QueueConfined(completion)
      return queue.async { @Sendable in box.value(.refused("its URL is not allowed")) }
    }
    var headers = HeaderFields()
    headers.append("Accept", accepts)
    if let part, let range = FieldValue("bytes=\(part.bytes.count)-"), let validator = FieldValue(part.validator) {
      headers.append("Range", range)
      headers.append("If-Range", validator)
    }
    let request = ClientRequest(
      method: .get, url: url, headers: headers,
      rules: ResponseRules(bodyLimit: rules.byteLimit, isVerbatim: true, keepsPartial: true),
      addressPolicy: rules.addressPolicy)
    let received = QueueConfined { (result: Result<Response, ClientError>) in self.handle(result) }
    ticket = client.send(request, on: queue) { received.value($0) }
  }

  private func handle(_ result: Result<Response, ClientError>) {
    switch result {
    case .success(let response): handle(response)
    case .failure(let error) where error.kind == .forbidden: completion(.refused("\(error)"))
    case .failure(let error) where error.kind == .tooLarge: completion(.refused("it is too large"))
    case .failure(let error):
      let more = error.received.flatMap { DownloadPart($0, after: part) }
      // Keep the earlier part, unless the server has started again from the beginning.
      let restarted = error.received?.status == .ok
      completion(.interrupted(more ?? (restarted ? nil : part), error))
    }
  }

  private func handle(_ response: Response) {
    switch response.status.code {
    case 200 where response.headers.hasCoding: completion(.refused("it has a content coding that was not requested"))
    case 200: completion(.complete(response.body))
    case 206: handlePart(response)
    // The file is now shorter than the received part.
    case 416 where part != nil: restart()
    case 301, 302, 303, 307, 308: follow(response)
    case let code: completion(.refused("the server responded with \(StatusCode(code))"))
    }
  }

  private func handlePart(_ response: Response) {
    guard let part else { return completion(.refused("the server sent an unrequested part")) }
    guard let range = part.range(in: response), response.body.count == range.last - range.first + 1 else {
      return restart()
    }
    let bytes = part.bytes + response.body
    guard bytes.count <= rules.byteLimit else { return completion(.refused("it is too large")) }
    if let total = range.total, total > bytes.count {
      completion(.unfinished(DownloadPart(bytes: bytes, validator: part.validator)))
    } else {
      completion(.complete(bytes))
    }
  }

  /// Requests the complete file and discards the part. A download does this at most once, because it has no part afterwards.
  private func restart() {
    part = nil
    send()
  }

  private func follow(_ response: Response) {
    guard let location = response.headers.first("Location"), let target = RedirectTarget.of(location, from: url) else {
      return completion(.refused("the server responded with \(response.status) without a usable Location"))
    }
    guard redirectsLeft > 0 else { return completion(.refused("it was redirected more than \(rules.redirects) times")) }
    redirectsLeft -= 1
    url = target
    send()
  }
}

/// Resolves `Location` against the request's URL (RFC 9110 §10.2.2, RFC 3986 §5) with libcurl's URL parser.
enum RedirectTarget {
  /// Resolves a redirect's location.
  /// - Returns: an absolute URL without its fragment; nil if the location is malformed or contains a user name.
  static func of(_ location: String, from url: String) -> String? {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_DISALLOW_USER)
    guard unsafe curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK,
      unsafe curl_url_set(handle, CURLUPART_URL, location, flags) == CURLUE_OK,
      unsafe curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe ccurl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
