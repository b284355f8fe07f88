/// Computes the HMAC of individual messages.
package enum HMAC {
  /// Returns the authentication code of `message`.
  package static func code(
    _ hash: HMACState.Hash, key: [UInt8], message: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    var state = try HMACState(hash, key: key)
    var code = HMACState.Code(repeating: 0)
    let count = unsafe try message.span.withUnsafeBufferPointer { (message) throws(CryptographyError) in
      unsafe try state.writeCode(of: message, to: &code)
    }
    return (0..<count).map { code[$0] }
  }
}
