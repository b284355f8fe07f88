/// A signed request's credentials, and how they came about.
///
/// Only ``headerValue`` is meant to be sent; the rest is what `--explain` shows and what tests compare.
public struct Authorization: Sendable, Hashable {
  /// The protocol parameters with the signature, sorted by name.
  public let header: AuthorizationHeader
  /// What was signed, in its normal form.
  public let normalizedParameters: NormalizedParameters
  /// What the signature was made over; PLAINTEXT makes none of it.
  public let baseString: BaseString
  /// The signature itself, not encoded.
  public let signature: Signature
  /// The shape of the key: `<consumer secret>&<token secret>`.
  public let maskedKey: String

  init(
    header: AuthorizationHeader, normalizedParameters: NormalizedParameters, baseString: BaseString,
    signature: Signature, maskedKey: String
  ) {
    self.header = header
    self.normalizedParameters = normalizedParameters
    self.baseString = baseString
    self.signature = signature
    self.maskedKey = maskedKey
  }

  /// What goes behind `Authorization: `.
  public var headerValue: String { header.value }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
  /// `OAuth <redacted>`: the parameters hold the token, the verifier and, with PLAINTEXT, the secrets.
  public var description: String { "OAuth <redacted>" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
