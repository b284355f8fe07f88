internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Platform

/// The streams of events that tell open pages what has changed: `/events`. The tabs of a browser share one.
///
/// A change is passed on from where it happens, so open pages cost nothing while nothing changes: there is no timer and no heartbeat. A client
/// that does not read is cut off by the limits of ``ResponseStream``.
final class LiveStreams: Sendable {
  /// The maximum number of streams. The oldest one ends when another begins.
  static let most = 32

  private struct Stream {
    let number: Int
    let session: WebSession
    /// Nil until the response has begun.
    var response: ResponseStream?
  }

  private struct State {
    var streams: [Stream] = []
    var lastNumber = 0
  }

  private let changes: ContentChanges
  private let sessions: WebSessions
  /// Distinguishes the moments of this process from those of earlier ones.
  private let run = String(UInt64.random(in: 0 ... .max), radix: 16)
  private let state = Locked(State())

  /// - Parameter sessions: a stream ends with its session.
  init(_ changes: ContentChanges, for sessions: WebSessions) {
    self.changes = changes
    self.sessions = sessions
    sessions.onChange { [weak self] in self?.endThoseWithoutSession() }
  }

  /// The number of open streams.
  var count: Int { state.withLock { $0.streams.count } }

  /// The present moment in the sequence of changes. A page made after it shows everything up to it.
  var moment: String { moment(changes.count) }

  private func moment(_ count: Int) -> String { "\(run).\(count)" }

  var routes: [Route] {
    [
      .getOnly("/events", for: .session) { [self] (request) throws(WebError) in
        guard let session = request.session else { preconditionFailure("the route needs a session") }
        guard request.isFromScript else { throw .onlyForScripts }
        return .events { begin in self.begin(for: session, begin) }
      }
    ]
  }

  // MARK: Beginning and ending

  /// Begins a stream.
  /// - Parameter begin: begins the response. Its argument is to be called when the response has ended.
  func begin(for session: WebSession, _ begin: (@escaping @Sendable () -> Void) -> ResponseStream) {
    // The connection may end before its stream is known here.
    let number = state.withLock { state in
      state.lastNumber += 1
      state.streams.append(Stream(number: state.lastNumber, session: session))
      observe(state)
      return state.lastNumber
    }
    let response = begin { [weak self] in _ = self?.remove { $0.number == number } }
    let displaced = state.withLock { state -> [Stream]? in
      guard let index = state.streams.firstIndex(where: { $0.number == number }) else { return nil }
      // Changes up to this moment may not be passed on to the stream, and later ones follow in it.
      response.write(LiveEvent.beginning(at: moment))
      state.streams[index].response = response
      let oldest = state.streams.prefix(max(0, state.streams.count - Self.most))
      state.streams.removeFirst(oldest.count)
      return Array(oldest)
    }
    guard let displaced else { return response.end() }
    for stream in displaced {
      stream.response?.write(LiveEvent.displaced)
      stream.response?.end()
    }
    // The session may have ended since the request was admitted.
    if !sessions.isCurrent(session) { endThoseWithoutSession() }
  }

  /// Ends all streams, because the port is being closed. Their browsers ask again.
  func endAll() { for stream in remove(where: { _ in true }) { stream.response?.end() } }

  private func endThoseWithoutSession() {
    for stream in remove(where: { !sessions.isCurrent($0.session) }) { stream.response?.end() }
  }

  private func remove(where isRemoved: (Stream) -> Bool) -> [Stream] {
    state.withLock { state in
      // The condition is asked once for each, because its answer may change meanwhile.
      var (removed, kept): ([Stream], [Stream]) = ([], [])
      for stream in state.streams { if isRemoved(stream) { removed.append(stream) } else { kept.append(stream) } }
      state.streams = kept
      observe(state)
      return removed
    }
  }

  // MARK: Changes

  /// Has changes passed on while there is a stream.
  private func observe(_ state: State) {
    guard !state.streams.isEmpty else { return changes.observe(nil) }
    changes.observe { [weak self] change, count in self?.tell(change, count) }
  }

  private func tell(_ change: ContentChange, _ count: Int) {
    let streams = state.withLock { $0.streams }
    guard !streams.isEmpty else { return }
    let event = LiveEvent.change(change, at: moment(count))
    var hasEnded = false
    for stream in streams {
      // A session ends by itself after 30 days.
      if sessions.isCurrent(stream.session) { stream.response?.write(event) } else { hasEnded = true }
    }
    if hasEnded { endThoseWithoutSession() }
  }
}

extension WebError {
  fileprivate static let onlyForScripts = WebError(
    .badRequest, "This address is not a page", "Only the script of homeline's pages uses it.")
}
