extension SignatureMethod {
  /// The hash of the HMAC, nil for PLAINTEXT.
  var hash: HMACState.Hash? {
    switch self {
    case .hmacSHA1: .sha1
    case .hmacSHA256: .sha256
    case .hmacSHA512: .sha512
    case .plaintext: nil
    }
  }
}
