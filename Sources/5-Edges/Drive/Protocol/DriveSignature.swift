package import Bytes
internal import Cryptography
package import HomelineOAuth

/// Signs the parameters of a request to Gokuai's API.
///
/// The values of all parameters, sorted by the bytes of the parameters' names, are joined by line feeds. The signature is the HMAC-SHA1 of
/// this text, in base64. The key is the secret of a client or of a library.
package enum DriveSignature {
  /// The parameters that are sent but not signed, in addition to the signature itself. These parameters describe the content of a file.
  static let unsigned = ["filehash", "filesize"]
  /// The name of the parameter that contains the signature.
  package static let name = "sign"

  /// Returns the signature of a request, without percent-encoding.
  ///
  /// - Parameter parameters: the parameters without the signature. Parameters that are not signed are ignored.
  /// - Throws: ``DriveSignatureError`` for parameters whose signature is ambiguous, or if OpenSSL fails.
  package static func sign(_ parameters: [Parameter], secret: Secret) throws(DriveSignatureError) -> String {
    try sign(text: try text(of: parameters), secret: secret)
  }

  /// Returns the signature of the text that `text(of:)` returned.
  static func sign(text: [UInt8], secret: Secret) throws(DriveSignatureError) -> String {
    do throws(CryptographyError) {
      return try secret.withExposed { (key) throws(CryptographyError) in
        Base64.encode(try HMAC.code(.sha1, key: key, message: text))
      }
    } catch { throw .cryptography(error) }
  }

  /// Returns the text to sign.
  ///
  /// The text does not contain the names, so a value with a line feed could be mistaken for two parameters. Official clients disagree about
  /// whether an empty value becomes an empty line or is left out. Values with a line feed and empty values are therefore refused, so that a
  /// signature is never ambiguous.
  static func text(of parameters: [Parameter]) throws(DriveSignatureError) -> [UInt8] {
    let signed = parameters.filter { parameter in !unsigned.contains(where: parameter.isNamed) }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    var text: [UInt8] = []
    for (index, parameter) in signed.enumerated() {
      let name = String(decoding: parameter.name, as: UTF8.self)
      if parameter.isNamed(self.name) || index > 0 && signed[index - 1].name == parameter.name {
        throw .repeatedParameter(name)
      }
      if parameter.value.isEmpty { throw .emptyValue(name) }
      if parameter.value.contains(UInt8(ascii: "\n")) { throw .lineFeed(name) }
      if index > 0 { text.append(UInt8(ascii: "\n")) }
      text += parameter.value
    }
    return text
  }
}
