internal import CCurl
package import Dispatch
internal import HTTP
internal import Platform

/// Fetches a file by GET, unsigned and without cookies: follows redirects, and goes on where a transfer before broke off (RFC 9110 §14).
/// Belongs to the queue of whoever asks.
package final class Download {
  package enum Outcome: Sendable {
    /// The whole file.
    case complete([UInt8])
    /// The server, or a rule of ours, says that there is none to be had; why.
    case refused(String)
    /// The transfer broke off. The part is all that has come until now, if one can go on from it.
    case interrupted(DownloadPart?, ClientError)
    /// The server sent less than it was asked for; the part is all that has come until now.
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

  /// Begins. To be called on the queue; the completion is called there, once and later.
  /// - Parameter part: what a transfer before has brought.
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
    ask()
  }

  /// Gives it up: the completion gets `.interrupted` with what has come.
  package func cancel() { ticket?.cancel() }

  private func ask() {
    guard rules.mayAsk(url), let accepts = FieldValue(rules.accepts) else {
      let box = QueueConfined(completion)
      return queue.async { @Sendable in box.value(.refused("its address is not one that is asked")) }
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
      reach: rules.reach)
    let received = QueueConfined { (result: Result<Response, ClientError>) in self.take(result) }
    ticket = client.send(request, on: queue) { received.value($0) }
  }

  private func take(_ result: Result<Response, ClientError>) {
    switch result {
    case .success(let response): take(response)
    case .failure(let error) where error.kind == .forbidden: completion(.refused("\(error)"))
    case .failure(let error) where error.kind == .tooLarge: completion(.refused("it is larger than is kept"))
    case .failure(let error):
      let more = error.received.flatMap { DownloadPart($0, after: part) }
      // What there was is kept, unless the server has begun anew.
      let isWhole = error.received?.status == .ok
      completion(.interrupted(more ?? (isWhole ? nil : part), error))
    }
  }

  private func take(_ response: Response) {
    switch response.status.code {
    case 200 where response.headers.hasCoding: completion(.refused("it came in another coding than was asked for"))
    case 200: completion(.complete(response.body))
    case 206: take(rest: response)
    // The file is shorter now than what there is of it.
    case 416 where part != nil: beginAnew()
    case 301, 302, 303, 307, 308: follow(response)
    case let code: completion(.refused("the answer is \(StatusCode(code))"))
    }
  }

  private func take(rest response: Response) {
    guard let part else { return completion(.refused("a part came that was not asked for")) }
    guard let range = part.range(in: response), response.body.count == range.last - range.first + 1 else {
      return beginAnew()
    }
    let bytes = part.bytes + response.body
    guard bytes.count <= rules.byteLimit else { return completion(.refused("it is larger than is kept")) }
    if let total = range.total, total > bytes.count {
      completion(.unfinished(DownloadPart(bytes: bytes, validator: part.validator)))
    } else {
      completion(.complete(bytes))
    }
  }

  /// Without the part, so that it happens once.
  private func beginAnew() {
    part = nil
    ask()
  }

  private func follow(_ response: Response) {
    guard let location = response.headers.first("Location"), let target = RedirectTarget.of(location, from: url) else {
      return completion(.refused("the answer is \(response.status), without a place to go on at"))
    }
    guard redirectsLeft > 0 else { return completion(.refused("it is redirected more than \(rules.redirects) times")) }
    redirectsLeft -= 1
    url = target
    ask()
  }
}

/// What holds for a download.
package struct DownloadRules: Sendable {
  /// Bytes of a whole file.
  var byteLimit: Int
  /// The value of `Accept`.
  var accepts: String
  /// How many redirects are followed.
  var redirects: Int
  /// Whether a URL may be asked: the first one, and each that a redirect leads to.
  var mayAsk: @Sendable (String) -> Bool

  /// Where the machines may be that are asked.
  var reach: AddressPolicy?

  package init(
    byteLimit: Int, accepts: String, redirects: Int, reach: AddressPolicy? = nil,
    mayAsk: @escaping @Sendable (String) -> Bool
  ) {
    self.reach = reach
    self.byteLimit = byteLimit
    self.accepts = accepts
    self.redirects = redirects
    self.mayAsk = mayAsk
  }
}

/// Where an answer's `Location` leads from the URL that was asked (RFC 9110 §10.2.2, RFC 3986 §5), by libcurl's own reading of URLs.
enum RedirectTarget {
  /// - Returns: an absolute URL without a fragment; `nil` for what is none, or one with a user's name in it.
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
