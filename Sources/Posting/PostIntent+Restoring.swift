package import CivilTime

extension PostIntent {
  /// The intent on a machine on which it was restored from a backup.
  ///
  /// The machine of the backup still has the intent. It may have published the post since then, or may do so later, and nothing that the
  /// restored copy contains can tell. So a post that was waiting has an unknown outcome: it is not sent unless the user asks for it.
  package func restored(at now: Timestamp) -> PostIntent {
    guard isPending else { return self }
    var intent = self
    intent.state = .unknown("it was restored from a backup, and the other machine may have posted it", at: now)
    return intent
  }
}
