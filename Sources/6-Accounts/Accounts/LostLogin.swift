internal import Folders
internal import Platform
internal import PublishedFiles
internal import Storage
internal import Timeline

/// Announces a lost login: the provider no longer accepts the token, or the token has expired and cannot be renewed.
///
/// Each lost login is announced once, even across restarts. The next announcement follows only after the account has worked again.
/// Belongs to the account's queue.
final class LostLogin {
  private let core: AccountCore
  private let tokens: any TokenStorage
  /// Whether the login is known to be lost and announced; `nil` until this process knows.
  private var isAnnounced: Bool?

  init(of core: AccountCore, _ tokens: any TokenStorage) {
    self.core = core
    self.tokens = tokens
  }

  /// Announces a lost login, or withdraws an earlier announcement, after the state has changed.
  func follow(_ state: AccountState) {
    let marker = LostLoginMarker(core.files)
    if state.needsLogin {
      // An account that was logged out, or never logged in, has no token.
      guard isAnnounced != true, tokens.isPresent else { return }
      let wasAnnounced = isAnnounced == nil && marker.exists
      isAnnounced = true
      if wasAnnounced { return }
      core.shared.announcer.announceLostLogin(of: core.name) { isShown in if isShown { marker.write() } }
    } else if state[.home].problem == nil {
      guard isAnnounced != false else { return }
      if isAnnounced == true { core.shared.announcer.announceLogin(of: core.name) }
      isAnnounced = false
      marker.remove()
    }
  }
}
