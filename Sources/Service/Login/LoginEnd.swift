/// How a login ended.
package enum LoginEnd: Sendable, Equatable {
  /// The token is stored.
  case authorised
  /// The user said no at the provider, or the provider did; its own word for it.
  case refused(String)
  /// The browser came back with a refusal that names no login: any web page can send it there. Its own word for it.
  case refusedUnnamed(String)
  /// Nobody came back in time.
  case timedOut
  case failed(Failure)
}
