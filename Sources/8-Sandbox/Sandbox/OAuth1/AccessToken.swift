internal import Bytes
internal import Cryptography
internal import HomelineOAuth

/// An access token: the user's id, random bytes, and a tag that every later run can verify.
enum AccessToken {
  private static let randomLength = 16

  static func issue(to userID: Int64, by seal: Seal) throws(CryptographyError) -> String {
    let random = (0..<randomLength).map { _ in UInt8.random(in: .min ... .max) }
    let head = "\(userID)-\(Base64URL.encode(random))"
    return head + (try seal.tag(.accessToken, of: head))
  }

  /// Returns whether the token was issued to this user with this key.
  static func isIssued(_ text: String, to userID: Int64, by seal: Seal) throws(CryptographyError) -> Bool {
    guard text.hasPrefix("\(userID)-"), text.utf8.count > Seal.tagLength else { return false }
    return try seal.isTag(text.suffix(Seal.tagLength), .accessToken, of: String(text.dropLast(Seal.tagLength)))
  }
}
