internal import JSON
internal import Time

/// The upload of one file in blocks, as a value that determines the next request and handles its response.
///
/// `create_file` announces the file, `upload_init` begins a session on an upload server, `upload_req` requests the offset where to
/// continue, `upload_part` sends a block, and `upload_finish` completes the file. A session remains valid after the program has exited, so
/// an interrupted upload continues at the offset that the server reports.
package struct BlockUpload: Sendable {
  /// A session on an upload server.
  package struct Session: Sendable, Hashable {
    /// The server's address, without a trailing slash.
    package let server: String
    package let id: String

    package init(server: String, id: String) {
      self.server = server
      self.id = id
    }
  }

  /// The caller's next step, and the function to call afterwards.
  package enum Step: Sendable, Hashable {
    /// Announce the file, then call `handle(created:servers:)` or `handle(refused:)`.
    case create
    /// Begin a session, then call `handle(_:)` or `handleInterruption(_:)`, as after all later requests.
    case initialize(server: String, pathID: String)
    /// Request the offset where the upload continues.
    case ask(Session)
    /// Send these bytes.
    case send(Session, Range<Int>)
    case finish(Session)
    /// Wait, then call `handleWaited()`.
    case wait(Duration)
    case done
    case failed(DriveError)
  }

  /// The maximum number of attempts without progress.
  static let setbackLimit = 8
  /// The maximum number of times that `upload_finish` is repeated while the server assembles the file.
  static let finishLimit = 10
  /// The pause before each repetition of `upload_finish`.
  static let finishPause = Duration.seconds(2)

  private let size: Int
  private let blockSize: Int
  package private(set) var step: Step
  /// The number of bytes that the server has confirmed.
  package private(set) var confirmed = 0
  private var afterWait = Step.create
  private var pathID = ""
  /// The upload servers that have not failed yet.
  private var servers: [String] = []
  /// The number of attempts since the largest confirmed offset last increased.
  private var setbacks = 0
  private var largestConfirmed = 0
  private var finishes = 0

  /// - Parameters:
  ///   - size: the size of the file in bytes.
  ///   - session: a session from an earlier run with the same content; nil to begin a new one.
  package init(size: Int, blockSize: Int, resuming session: Session? = nil) {
    precondition(size >= 0 && blockSize > 0)
    self.size = size
    self.blockSize = blockSize
    step = session.map { .ask($0) } ?? .create
  }

  /// The session to store, so that a later run can resume the upload; nil before a session has begun.
  package var session: Session? {
    switch step {
    case .ask(let session), .send(let session, _), .finish(let session): session
    case .wait: Self.session(of: afterWait)
    case .create, .initialize, .done, .failed: nil
    }
  }

  private static func session(of step: Step) -> Session? {
    switch step {
    case .ask(let session), .send(let session, _), .finish(let session): session
    default: nil
    }
  }

  // MARK: Events

  /// Handles the response to the announcement of the file.
  /// - Parameter servers: the addresses of the upload servers that may be used.
  package mutating func handle(created file: CreatedFile, servers: [String]) {
    if file.isComplete {
      confirmed = size
      step = .done
      return
    }
    pathID = file.pathID
    self.servers = servers
    initialize(orFailWith: DriveError(.unavailable, "the drive has no upload server"))
  }

  /// Handles a failure to announce the file.
  package mutating func handle(refused failure: DriveError) {
    if failure.kind == .unavailable { setBack(to: .create, failure) } else { step = .failed(failure) }
  }

  /// Handles the response to the request of the current step.
  package mutating func handle(_ response: DriveResponse) {
    switch step {
    case .initialize(let server, _): handleInitialized(response, server: server)
    case .ask(let session): handleOffset(response, session)
    case .send(let session, let range): handleBlock(response, session, range)
    case .finish(let session): handleFinished(response, session)
    case .create, .wait, .done, .failed: preconditionFailure("the step has no response")
    }
  }

  /// Handles a missing or incomplete response to the current step's request.
  package mutating func handleInterruption(_ failure: DriveError) {
    switch step {
    case .create: setBack(to: .create, failure)
    case .initialize: initialize(orFailWith: failure)
    case .ask(let session), .send(let session, _), .finish(let session): setBack(to: .ask(session), failure)
    case .wait, .done, .failed: preconditionFailure("the step has no request")
    }
  }

  /// Handles a failure of the current step's request that a retry cannot fix.
  package mutating func handle(fatal failure: DriveError) { step = .failed(failure) }

  package mutating func handleWaited() {
    guard case .wait = step else { preconditionFailure("the step is not a wait") }
    step = afterWait
  }

  // MARK: Responses

  private mutating func handleInitialized(_ response: DriveResponse, server: String) {
    if let failure = failure(in: response) {
      if failure.kind == .unavailable { return initialize(orFailWith: failure) }
      step = .failed(failure)
      return
    }
    if response.status == 202 {
      confirmed = size
      step = .done
      return
    }
    guard let id = Self.text("session", in: response.body), !id.isEmpty else {
      return setBack(to: .create, DriveError(.unreadable, "the upload server did not begin a session"))
    }
    let session = Session(server: server, id: id)
    // The server may already have a part of the content from an earlier session.
    step = size == 0 ? .finish(session) : .ask(session)
  }

  private mutating func handleOffset(_ response: DriveResponse, _ session: Session) {
    if let failure = failure(in: response) { return beginAgain(failure) }
    // The response is a bare number, not a JSON document.
    let text = String(decoding: response.body.prefix(32), as: UTF8.self).filter { !$0.isWhitespace && $0 != "\"" }
    guard let offset = JSONNumber(text: text).integer(in: 0...size) else {
      return beginAgain(DriveError(.unreadable, "the upload server did not report a valid offset"))
    }
    proceed(to: offset, session)
  }

  private mutating func handleBlock(_ response: DriveResponse, _ session: Session, _ range: Range<Int>) {
    switch response.status {
    case 409: obey(response, session)
    case 202:
      confirm(size)
      step = .finish(session)
    default:
      guard let failure = failure(in: response) else { return proceed(to: range.upperBound, session) }
      retry(session, after: failure, isRedirect: (300..<400).contains(response.status))
    }
  }

  private mutating func handleFinished(_ response: DriveResponse, _ session: Session) {
    switch response.status {
    case 409: obey(response, session)
    case 202:
      finishes += 1
      guard finishes <= Self.finishLimit else {
        step = .failed(
          DriveError(.unavailable, "the server has all bytes but is still assembling the file; run the command again")
        )
        return
      }
      wait(Self.finishPause, then: .finish(session))
    default:
      guard let failure = failure(in: response) else {
        confirm(size)
        step = .done
        return
      }
      retry(session, after: failure, isRedirect: (300..<400).contains(response.status))
    }
  }

  /// Continues at the offset that the server expects. The server's response contains the offset as a number or as a string.
  private mutating func obey(_ response: DriveResponse, _ session: Session) {
    let failure = DriveError(.unavailable, "the upload server refuses every block, regardless of its offset")
    guard let text = Self.text("expect", in: response.body), let offset = JSONNumber(text: text).integer(in: 0...size)
    else {
      return setBack(to: .ask(session), failure)
    }
    setbacks += 1
    guard setbacks <= Self.setbackLimit else {
      step = .failed(failure)
      return
    }
    proceed(to: offset, session)
  }

  private mutating func retry(_ session: Session, after failure: DriveError, isRedirect: Bool) {
    switch failure.kind {
    // The session has ended.
    case .tokenExpired: setBack(to: .create, failure)
    case .unavailable where !isRedirect: setBack(to: .ask(session), failure)
    default: step = .failed(failure)
    }
  }

  private mutating func beginAgain(_ failure: DriveError) { setBack(to: .create, failure) }

  // MARK: Steps

  private mutating func initialize(orFailWith failure: DriveError) {
    guard let server = servers.first else { return setBack(to: .create, failure) }
    servers.removeFirst()
    step = .initialize(server: server, pathID: pathID)
  }

  private mutating func proceed(to offset: Int, _ session: Session) {
    confirm(offset)
    step = offset == size ? .finish(session) : .send(session, offset..<min(size, offset + blockSize))
  }

  private mutating func confirm(_ offset: Int) {
    confirmed = offset
    if offset > largestConfirmed {
      largestConfirmed = offset
      setbacks = 0
    }
  }

  private mutating func setBack(to next: Step, _ failure: DriveError) {
    setbacks += 1
    guard setbacks <= Self.setbackLimit else {
      step = .failed(failure)
      return
    }
    wait(max(Backoff.transfers.pause(after: setbacks), failure.pause ?? .zero), then: next)
  }

  private mutating func wait(_ duration: Duration, then next: Step) {
    afterWait = next
    step = .wait(duration)
  }

  /// Returns the failure that an upload server reports. If it does not know the session, it responds with an empty 401.
  private func failure(in response: DriveResponse) -> DriveError? {
    if response.status == 401, response.body.isEmpty {
      return DriveError(.tokenExpired, "the upload server no longer knows the upload (status 401)")
    }
    return response.failure
  }

  private static func text(_ member: StaticString, in body: [UInt8]) -> String? {
    var cursor = JSONCursor(body)
    var text: String?
    try? cursor.looseMembers { cursor, name in
      if member ~= name { text = try cursor.looseText() } else { try cursor.skip() }
    }
    return text
  }
}

extension Backoff {
  /// The pauses between attempts of a transfer without progress.
  static let transfers = Backoff([1, 2, 4, 8, 16, 30].map { .seconds($0) })
}
