package import HomelineOAuth
package import Settings

extension Command {
  /// The arguments of `sign`.
  package struct Sign: Sendable, Hashable {
    package var method: String
    package var url: RequestURL
    /// The parameters of the form body, not encoded.
    package var form: [Parameter]
    /// Whose keys and token; nil takes them from the environment.
    package var account: AccountName?
    package var nonce: String?
    /// Seconds since 1970.
    package var timestamp: Int64?
    /// Nil means the account's own, or HMAC-SHA1.
    package var signatureMethod: SignatureMethod?
    package var explains: Bool

    package init(
      method: String, url: RequestURL, form: [Parameter] = [], account: AccountName? = nil, nonce: String? = nil,
      timestamp: Int64? = nil, signatureMethod: SignatureMethod? = nil, explains: Bool = false
    ) {
      self.method = method
      self.url = url
      self.form = form
      self.account = account
      self.nonce = nonce
      self.timestamp = timestamp
      self.signatureMethod = signatureMethod
      self.explains = explains
    }
  }
}
