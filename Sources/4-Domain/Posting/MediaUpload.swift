package import Time

/// The upload of one of a post's files.
package struct MediaUpload: Sendable, Hashable {
  package var stage: MediaStage
  /// The time when the server deletes the file if it is not published; `nil` if unknown.
  package var expiresAt: Timestamp?

  package init(_ stage: MediaStage = .missing, expiresAt: Timestamp? = nil) {
    self.stage = stage
    self.expiresAt = expiresAt
  }

  /// Returns the stage at a given time. A file that the server has deleted must be uploaded again.
  package func stage(at now: Timestamp) -> MediaStage {
    if let expiresAt, expiresAt <= now { .missing } else { stage }
  }
}
