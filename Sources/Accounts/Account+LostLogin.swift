internal import Files
internal import Publishing
internal import Storage
internal import Timeline

/// Announces a lost login: the provider no longer accepts the token, or the token has expired and cannot be renewed.
///
/// Each lost login is announced once, also across restarts. The next announcement follows only after the account has worked again.
/// Call on the account's queue.
extension Account {
  /// Announces a lost login, or takes an earlier announcement back, after the state has changed.
  func followLogin(_ state: AccountState) {
    switch state.problem?.code {
    case .notAuthorised:
      // An account that was logged out, or never logged in, has no token.
      guard lostLogin != .announced, tokens.isPresent else { return }
      let marker = LostLoginMarker(files)
      if lostLogin == nil, marker.exists {
        lostLogin = .announced
        return
      }
      lostLogin = .announced
      publishers.announcer.announceLostLogin(of: name) { isShown in if isShown { marker.write() } }
    case nil:
      guard lostLogin != LostLogin.none else { return }
      if lostLogin == .announced { publishers.announcer.announceLogin(of: name) }
      lostLogin = LostLogin.none
      LostLoginMarker(files).remove()
    default: break
    }
  }
}

/// Whether an account's lost login has been announced.
enum LostLogin {
  /// No login is lost.
  case none
  case announced
}
