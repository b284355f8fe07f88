package import Time

/// The outcome of one attempt to post.
package enum AttemptResult: Sendable, Hashable {
  case posted(SentPost)
  /// The request did not reach the server.
  case unsent(String)
  /// The post was not published, but may be if the request is repeated: after `until`, or after a pause if there is no such time.
  case postponed(String, until: Timestamp?)
  /// The server did not publish the post, because the token is not valid. The post waits until the user logs in again.
  case withoutLogin(String)
  /// The server refused the post.
  /// - Parameter coversEarlier: whether the refusal also proves that no earlier attempt with the same key published the post. This is so if
  ///   the server looks for the key before it validates the post.
  case refused(String, coversEarlier: Bool)
  /// The server refused the request because it had already received one with the same nonce. If something between client and server has
  /// sent the request twice, the server may have published the post.
  case copyRefused(String)
  /// The server may have published the post.
  /// - Parameters:
  ///   - until: the earliest time to ask again, if the server gave one.
  ///   - named: the id in the server's response, if the response does not show whose post it is.
  case unanswered(String, until: Timestamp? = nil, named: String? = nil)
}
