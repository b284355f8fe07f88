package import Posting
package import Time

/// The outcome of one request of an upload.
package enum MediaResult: Sendable, Hashable {
  /// - Parameters:
  ///   - after: the time to wait before the next request of this upload.
  ///   - lifetime: how long the server keeps the file if it is not published; `nil` if the response does not change this.
  case reached(MediaStage, after: Duration? = nil, lifetime: Duration? = nil)
  /// The same request may succeed later: at `until`, if that is known.
  case postponed(String, until: Timestamp?)
  /// The server does not accept the token. The upload waits until the user logs in again.
  case withoutLogin(String)
  /// The server does not accept the file.
  case refused(String)
}
