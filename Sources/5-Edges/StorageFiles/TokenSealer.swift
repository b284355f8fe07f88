internal import Keyring
internal import Storage
internal import Cryptography

/// Writes tokens in one form: plain, or encrypted with a key.
struct TokenSealer: Sendable {
  static let plain = TokenSealer(key: nil)

  private let key: TokenKey?

  init(key: TokenKey?) { self.key = key }

  /// The key id; `nil` for the plain form.
  var keyID: String? { key?.id }

  func bytes(of token: StoredToken) throws(StorageError) -> [UInt8] {
    guard let key else { return token.json }
    do throws(CryptographyError) { return try SealedToken(sealing: token, with: key).json } catch {
      throw StorageError(.other, "the token could not be encrypted: \(error)")
    }
  }
}
