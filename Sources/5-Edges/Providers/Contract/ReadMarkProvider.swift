package import HTTPClient
package import Time
package import Timeline

/// A provider whose servers keep how far the user has read some timelines, for all of the user's clients.
package protocol ReadMarkProvider: Provider {
  /// The kinds of timelines that have a shared read mark.
  var kindsWithReadMark: [TimelineName.Kind] { get }

  /// Returns the request for the read marks of timelines.
  func readMarksRequest(of kinds: [TimelineName.Kind]) -> ClientRequest

  /// Reads the response to `readMarksRequest(of:)` or to `request(toSet:)`. A timeline that no client has marked has no mark.
  func readMarks(from response: ProviderResponse) throws(ProviderFailure) -> [SharedReadMark]

  /// Returns the request that sets read marks: the id of the newest entry that the user has read in each timeline.
  func request(toSet marks: [TimelineName.Kind: PostID]) -> ClientRequest

  /// Returns whether the server did not set the marks because another client set them at the same time.
  func isConflict(_ response: ProviderResponse) -> Bool

  /// Returns the position of a mark; `nil` if it cannot be determined from the id alone.
  func position(ofReadMark id: PostID) -> PostPosition?
}

/// How far the user has read a timeline, according to the server.
package struct SharedReadMark: Sendable, Hashable {
  package let kind: TimelineName.Kind
  /// The newest entry that the user has read.
  package let id: PostID
  /// When a client last set the mark, according to the local clock; `nil` if the server does not say.
  package let setAt: Timestamp?

  package init(kind: TimelineName.Kind, id: PostID, setAt: Timestamp?) {
    self.kind = kind
    self.id = id
    self.setAt = setAt
  }
}
