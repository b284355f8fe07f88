/// What a browser that came back is told.
package enum CallbackReply: Sendable, Equatable {
  /// It belongs to this login: the page that says how it ends is the login's own.
  case accepted
  /// No login waits for that token.
  case unknownToken
  /// It says nothing that could be used; the reason as a sentence.
  case unusable(String)
}
