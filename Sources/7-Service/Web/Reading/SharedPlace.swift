internal import Storage
internal import Time
internal import Timeline

/// A place in a list that several timelines share. Posts are ordered by time; posts of the same time by the name of their timeline, and then by
/// key.
struct SharedPlace: Sendable, Hashable {
  let time: Timestamp
  let key: PostKey
  /// The timeline of the post, as `ACCOUNT` or `ACCOUNT/TIMELINE`.
  let source: String

  static let names = ["before", "key", "of"]
  /// Above and below all keys.
  private static let (highest, lowest) = (PostKey("~"), PostKey(""))

  init(_ post: TimedPost, of source: String) {
    (time, key, self.source) = (post.time, post.post.mark.key, source)
  }

  /// - Returns: `nil` for the beginning of the list.
  /// - Throws: status 400 if the values are no place.
  init?(_ query: WebQuery) throws(WebError) {
    guard let text = query["before"] else {
      for name in Self.names where query[name] != nil {
        throw .badAddress("“\(name)” has no meaning without “before”.")
      }
      return nil
    }
    guard let milliseconds = Int64(text), let time = Timestamp(exactlyMilliseconds: milliseconds) else {
      throw .badAddress("The value of “before” is not a time in milliseconds since 1970.")
    }
    guard let key = try PostPlace.key(query, "key"), let source = query["of"] else {
      throw .badAddress("“before” also needs “key” and “of”.")
    }
    (self.time, self.key, self.source) = (time, key, source)
  }

  /// Returns the address of the page that begins here.
  func added(to address: WebAddress) -> WebAddress {
    address.with("before", String(time.milliseconds)).with("key", key.text).with("of", source)
  }

  /// Returns the moment that the posts of a timeline must be before.
  func moment(for other: String) -> PostMoment {
    if other == source { return PostMoment(time, key) }
    return PostMoment(time, other < source ? Self.highest : Self.lowest)
  }

  /// Returns whether a post of one timeline comes before a post of another in the list.
  static func isLater(_ one: TimedPost, of source: String, than other: TimedPost, of otherSource: String) -> Bool {
    (one.time, source, one.post.mark.key) > (other.time, otherSource, other.post.mark.key)
  }
}
