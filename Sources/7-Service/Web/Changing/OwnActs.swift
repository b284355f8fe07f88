internal import Platform
internal import Posting
internal import Settings
internal import Timeline

/// The user's likes, reposts and bookmarks by homeline: the outcomes of acts since the service started. No server is asked because somebody looks
/// at a page. What the user has done elsewhere is known only from stored timelines (``StoredMarks``).
final class OwnActs: Sendable {
  /// The maximum number of remembered acts. The earliest is forgotten first.
  static let most = 2_000

  private struct Key: Hashable {
    let account: AccountName
    let post: PostID
    let kind: PostAction.Kind
  }

  private struct State {
    var isDone: [Key: Bool] = [:]
    var order: ArraySlice<Key> = []
  }

  private let state = Locked(State())

  /// Remembers an act that has taken effect.
  func note(_ action: PostAction, on post: PostID, of account: AccountName) {
    let key = Key(account: account, post: post, kind: action.kind)
    state.withLock { state in
      if state.isDone.updateValue(!action.isUndone, forKey: key) != nil { return }
      state.order.append(key)
      if state.order.count > Self.most, let first = state.order.popFirst() { state.isDone[first] = nil }
    }
  }

  /// Returns whether an act on a post is in effect; nil if it was neither done nor undone.
  func isDone(_ kind: PostAction.Kind, on post: PostID, of account: AccountName) -> Bool? {
    state.withLock { $0.isDone[Key(account: account, post: post, kind: kind)] }
  }
}
