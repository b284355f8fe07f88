/// What a connection is worth when room is needed.
enum ConnectionStanding: Equatable, Sendable {
  /// Nothing of a request has come since it was accepted or answered.
  case silent
  /// A part of a request has come.
  case halfSent
  /// A request waits for its answer, or the answer is on its way.
  case busy
  /// Its last answer is out; the peer's end is waited for.
  case leaving
}
