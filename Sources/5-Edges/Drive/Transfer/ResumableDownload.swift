package import HTTP
internal import Time

/// The download of one file, as a value that determines the next request and handles its response. The caller writes the content to a
/// partial file; this value knows only the file's length.
///
/// An interrupted transfer continues where it stopped (RFC 9110 §14), even after a restart of the program. The SHA-1 of the complete file
/// is compared with the SHA-1 that the drive reports.
package struct ResumableDownload: Sendable {
  /// The caller's next step, and the function to call afterwards.
  package enum Step: Sendable, Hashable {
    /// Request an address, then call `handle(location:addresses:)` or `handle(refused:)`.
    case locate
    /// Request the content from an offset onwards. Call `begin(status:headers:)`, then `add(_:)` for each piece, and finally
    /// `handleEnd(_:)`.
    /// - Parameter validator: the value of `If-Range`; nil to send none.
    case request(address: String, from: Int, validator: String?)
    /// Compute the SHA-1 of the partial file, then call `handle(sha1:)`.
    case verify
    /// Wait, then call `handleWaited()`.
    case wait(Duration)
    /// The partial file is complete.
    case done
    case failed(DriveError)
  }

  /// What to do with a response's body.
  package enum BodyUse: Sendable, Hashable {
    /// Append the body to the partial file.
    case append
    /// Empty the partial file, then write the body to it.
    case startOver
    case discard
  }

  /// The maximum number of attempts without progress.
  static let setbackLimit = 8
  static let redirectLimit = 5

  package private(set) var step = Step.locate
  /// The length of the partial file.
  package private(set) var received: Int
  /// The entity tag or date of the partial file's content.
  package private(set) var validator: String?
  /// The SHA-1 that the drive reports for the content.
  package private(set) var sha1: String?
  /// The size that the drive reports for the content, in bytes.
  package private(set) var size: Int?
  private var addresses: [String] = []
  private var afterWait = Step.locate
  /// The step after a response whose body is discarded.
  private var afterBody: Step?
  private var setbacks = 0
  private var largestReceived: Int
  private var redirects = 0
  private var mismatches = 0

  /// - Parameters:
  ///   - received: the length of the partial file from an earlier run; 0 if there is none.
  ///   - validator: the validator of the partial file's content.
  ///   - sha1: the SHA-1 that the drive reported in the earlier run.
  ///   - size: the size that the drive reported in the earlier run, in bytes.
  package init(received: Int = 0, validator: String? = nil, sha1: String? = nil, size: Int? = nil) {
    self.received = received
    self.validator = validator
    self.sha1 = sha1
    self.size = size
    largestReceived = received
  }

  // MARK: Events

  /// Handles the location of the content.
  /// - Parameter addresses: the location's addresses to request the content from.
  package mutating func handle(location: DriveLocation, addresses: [String]) {
    let isOther =
      location.sha1.map { new in sha1.map { $0 != new } ?? false } ?? false
      || location.size.map { new in size.map { $0 != new } ?? false } ?? false
    sha1 = location.sha1 ?? sha1
    size = location.size ?? size
    // Without a SHA-1 and a validator, the received bytes could belong to another file.
    let isUnknown = sha1 == nil && validator == nil
    if isOther || isUnknown || size.map({ received > $0 }) ?? false { forget() }
    self.addresses = addresses
    redirects = 0
    guard !addresses.isEmpty else {
      step = .failed(DriveError(.unreadable, "the drive reports no URL for the file"))
      return
    }
    step = received > 0 && received == size ? .verify : request
  }

  /// Handles a failure to obtain an address. Before the first address is known, the download fails immediately, for example because there
  /// is no network. After that, the drive is assumed to come back.
  package mutating func handle(refused failure: DriveError) {
    if failure.kind == .unavailable, !addresses.isEmpty {
      setBack(to: .locate, failure)
    } else {
      step = .failed(failure)
    }
  }

  /// Handles the head of a response.
  package mutating func begin(status: Int, headers: HeaderFields) -> BodyUse {
    precondition(afterBody == nil)
    switch status {
    case 200, 206:
      if headers.hasCoding { return discard(.unreadable, "the server sent part of the file compressed") }
      return status == 200 ? startOver(headers) : append(headers)
    case 416:
      if received > 0, received == size { return discard(then: .verify) }
      forget()
      return discard(.unavailable, "the server has fewer bytes than expected")
    // The address was valid only for a limited time. The received bytes are kept.
    case 401, 403, 404, 410: return discard(.refused, "the file's URL has expired (\(status))", then: .locate)
    case 301, 302, 303, 307, 308: return redirect(headers)
    case 408, 429, 500...: return discard(.unavailable, "the server responded with status \(status)")
    default:
      return discard(then: .failed(DriveError(.refused, "the server responded with status \(status)")))
    }
  }

  /// Records that a piece of the body was written to the partial file.
  /// - Returns: whether to continue; false if more bytes arrived than the file has.
  package mutating func add(_ count: Int) -> Bool {
    received += count
    if received > largestReceived {
      largestReceived = received
      setbacks = 0
    }
    return size.map { received <= $0 } ?? true
  }

  /// Handles the end of the body, whether it is complete or was interrupted.
  /// - Parameter failure: the reason for the interruption; nil if the response is complete.
  package mutating func handleEnd(_ failure: DriveError?) {
    if let next = afterBody {
      afterBody = nil
      step = next
      return
    }
    guard let size else {
      if let failure { return setBack(to: request, failure) }
      step = .verify
      return
    }
    if received > size {
      forget()
      return setBack(to: .locate, DriveError(.changed, "the server sent more bytes than the file has"))
    }
    if received == size {
      step = .verify
      return
    }
    setBack(to: request, failure ?? DriveError(.unavailable, "the server sent only a part of the file"))
  }

  /// Handles the hash of the complete partial file.
  /// - Parameter actual: the SHA-1 of the partial file.
  package mutating func handle(sha1 actual: String) {
    guard let sha1, sha1 != actual else {
      step = .done
      return
    }
    mismatches += 1
    forget()
    guard mismatches < 3 else {
      step = .failed(
        DriveError(.changed, "the content does not match the SHA-1 that the drive reports; nothing was stored"))
      return
    }
    step = .locate
  }

  package mutating func handleWaited() {
    guard case .wait = step else { preconditionFailure("the step is not a wait") }
    step = afterWait
  }

  // MARK: Responses

  private mutating func startOver(_ headers: HeaderFields) -> BodyUse {
    received = 0
    validator = headers.strongValidator
    return .startOver
  }

  private mutating func append(_ headers: HeaderFields) -> BodyUse {
    guard received > 0, let text = headers.first("Content-Range"), let range = ContentRange(text),
      range.first == received, isSameFile(headers), range.total == nil || size == nil || range.total == size
    else {
      forget()
      return discard(.changed, "the server sent a different part of the file than requested")
    }
    return .append
  }

  /// Returns whether the response contains the same version of the file as the partial file. A response may omit the validator; a
  /// different validator means a different version (RFC 9110 §15.3.7).
  private func isSameFile(_ headers: HeaderFields) -> Bool {
    guard let validator else { return true }
    return headers.first(validator.hasPrefix("\"") ? "ETag" : "Last-Modified").map { $0 == validator } ?? true
  }

  private mutating func redirect(_ headers: HeaderFields) -> BodyUse {
    redirects += 1
    guard redirects <= Self.redirectLimit, let target = headers.first("Location"), target.hasPrefix("https://") else {
      return discard(
        then: .failed(DriveError(.refused, "the server redirects the download to a URL that is not allowed")))
    }
    addresses = [target]
    return discard(then: request)
  }

  private mutating func discard(then next: Step) -> BodyUse {
    afterBody = next
    return .discard
  }

  private mutating func discard(_ kind: DriveError.Kind, _ message: String, then next: Step? = nil) -> BodyUse {
    setBack(to: next ?? request, DriveError(kind, message))
    // The step becomes current at the end of the body.
    afterBody = step
    return .discard
  }

  // MARK: Steps

  private var request: Step {
    // After each attempt without progress, the next address is tried.
    let address = addresses.isEmpty ? "" : addresses[setbacks % addresses.count]
    return .request(address: address, from: received, validator: received > 0 ? validator : nil)
  }

  private mutating func forget() {
    received = 0
    validator = nil
  }

  private mutating func setBack(to next: Step, _ failure: DriveError) {
    setbacks += 1
    guard setbacks <= Self.setbackLimit else {
      step = .failed(failure)
      return
    }
    afterWait = next
    step = .wait(Backoff.transfers.pause(after: setbacks))
  }
}
