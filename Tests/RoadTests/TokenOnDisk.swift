import Platform
import Testing

/// What of an account's token lies on the disk while nobody works with it.
struct TokenOnDisk {
  /// The refresh token that the next renewal has to use; nil when there is none.
  let refreshToken: String?
  /// Whether it lies in the place of a renewal whose process ended before it was done.
  let isBesideItsPlace: Bool
  /// Whether that place holds something that is not whole.
  let isTorn: Bool

  /// Looks at both files.
  /// - Throws: when `token.json` is there and not whole.
  init(of home: OAuth2Home) throws {
    let stored = File.exists(home.tokenFile) ? try home.token()["refresh_token"].text : nil
    if File.exists(home.tokenFile) { try #require(stored != nil) }
    guard File.exists(home.renewalFile) else {
      (refreshToken, isBesideItsPlace, isTorn) = (stored, false, false)
      return
    }
    // Its space is allocated before the answer comes, and the zeros behind the answer are cut off after that.
    let written = try File.read(home.renewalFile, limit: 1 << 16).split(separator: 0)
    let renewed = try? written.first.map { try JSONValue(Array($0)) }?["refresh_token"].text
    refreshToken = renewed ?? stored
    isBesideItsPlace = renewed != nil
    isTorn = !written.isEmpty && renewed == nil
  }
}
