internal import HomelineOAuth

/// The output of `homeline sign --explain`: one labelled value per line, so that scripts can parse it.
enum SignatureExplanation {
  static func text(of authorization: Authorization) -> String {
    """
    normalised parameters: \(authorization.normalizedParameters.text)
    signature base string: \(authorization.baseString.text)
    signing key: \(authorization.maskedKey)

    """
  }
}
