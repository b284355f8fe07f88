internal import JSON
internal import Timeline

/// How far it is known whose token it is: `get_token_info` proves an id, and `users/show` tells who that is.
enum WeiboOwner {
  case token(WeiboTokenInfo)
  case user(User)

  /// Takes the object; `nil` when it is neither.
  init?(_ cursor: inout JSONCursor) throws {
    var other = cursor
    if let user = try WeiboUser(&cursor).user {
      self = .user(user)
    } else if let info = try WeiboTokenInfo(&other) {
      self = .token(info)
    } else {
      return nil
    }
  }
}
