import Platform
import Testing

/// What of an account's token lies on the disk while nobody works with it.
struct TokenOnDisk {
  /// The refresh token that the next renewal has to use, and the access token that came with it; nil when there is none.
  let refreshToken: String?
  let accessToken: String?
  /// Whether it lies in the place of a renewal whose process ended before it was done.
  let isBesideItsPlace: Bool
  /// Whether that place holds something that is not whole.
  let isTorn: Bool

  /// Looks at both files.
  /// - Throws: when `token.json` is there and not whole.
  init(of home: OAuth2Home) throws {
    let stored = File.exists(home.tokenFile) ? try home.token() : nil
    if let stored { try #require(stored["refresh_token"].text != nil) }
    guard File.exists(home.renewalFile) else {
      (refreshToken, accessToken) = (stored?["refresh_token"].text, stored?["access_token"].text)
      (isBesideItsPlace, isTorn) = (false, false)
      return
    }
    // Its space is allocated before the answer comes, and the zeros behind the answer are cut off after that.
    let written = try File.read(home.renewalFile, limit: 1 << 16).split(separator: 0)
    let renewed = try? written.first.map { try JSONValue(Array($0)) }
    refreshToken = (renewed ?? stored)?["refresh_token"].text
    accessToken = (renewed ?? stored)?["access_token"].text
    isBesideItsPlace = renewed != nil
    isTorn = !written.isEmpty && renewed == nil
  }
}
