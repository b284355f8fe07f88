package import Time

extension PostIntent {
  /// Returns the intent to store on the machine where a backup is restored.
  ///
  /// The machine that made the backup still has the intent. It may have published the post since then, or may do so later, and the restored
  /// copy cannot show this. A waiting post's outcome is therefore unknown: homeline sends the post only if the user asks for it.
  /// - Parameter media: the restored files by their index. Each has the content of the file that it replaces.
  package func restored(at now: Timestamp, media: [Int: PostMedia] = [:]) -> PostIntent {
    var draft = draft
    for (index, file) in media { draft.media[index] = file }
    var intent = PostIntent(
      id: id, number: number, author: author, createdAt: createdAt, draft: draft, key: key, state: state,
      uploads: uploads, lastAttempt: lastAttempt)
    if isPending {
      if case .sending(let attempt) = state { intent.lastAttempt = attempt }
      intent.state = .unknown("it was restored from a backup, and the other machine may have posted it", at: now)
    }
    return intent
  }
}
