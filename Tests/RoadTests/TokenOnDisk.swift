import Platform
import Testing

/// An account's token files while no process uses them.
struct TokenOnDisk {
  /// The refresh token for the next renewal, and its access token; nil if there is none.
  let refreshToken: String?
  let accessToken: String?
  /// Whether it is in the temporary file of an interrupted renewal.
  let isBesideItsPlace: Bool
  /// Whether the temporary file is incomplete.
  let isTorn: Bool

  /// Reads both files.
  /// - Throws: if `token.json` exists and is incomplete.
  init(of home: OAuth2Home) throws {
    let stored = File.exists(home.tokenFile) ? try home.token() : nil
    if let stored { try #require(stored["refresh_token"].text != nil) }
    guard File.exists(home.renewalFile) else {
      (refreshToken, accessToken) = (stored?["refresh_token"].text, stored?["access_token"].text)
      (isBesideItsPlace, isTorn) = (false, false)
      return
    }
    // The file's space is allocated before the response arrives, and the trailing zeros are cut off afterwards.
    let written = try File.read(home.renewalFile, limit: 1 << 16).split(separator: 0)
    let renewed = try? written.first.map { try JSONValue(Array($0)) }
    refreshToken = (renewed ?? stored)?["refresh_token"].text
    accessToken = (renewed ?? stored)?["access_token"].text
    isBesideItsPlace = renewed != nil
    isTorn = !written.isEmpty && renewed == nil
  }
}
