extension PostIntent {
  /// Whether the server has published the post to more people than the user wanted.
  package var isTooVisible: Bool {
    guard case .posted(let post, _, _) = state, let wanted = draft.visibility, let shown = post.visibility else {
      return false
    }
    return shown.isWider(than: wanted)
  }
}
