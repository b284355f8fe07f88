package import HomelineOAuth

/// What `sign --explain` shows of a signature, one thing a line: scripts take the lines apart by their labels.
package enum SignatureExplanation {
  package static func text(of authorization: Authorization) -> String {
    """
    normalised parameters: \(authorization.normalizedParameters.text)
    signature base string: \(authorization.baseString.text)
    signing key: \(authorization.maskedKey)

    """
  }
}
