package import HomelineOAuth

/// Signs the parameters of a request to Gokuai's API.
///
/// The values of all parameters, sorted by the bytes of their names, are joined by line feeds. The signature is the base64 of the
/// HMAC-SHA1 of that text. A client's secret and a library's secret are used in the same way.
package enum DriveSignature {
  /// Parameters that are sent but not signed, besides the signature itself. They describe the content of a file.
  static let unsigned = ["filehash", "filesize"]
  /// The name of the signature's parameter.
  package static let name = "sign"

  /// The signature of a request, not percent-encoded.
  ///
  /// - Parameter parameters: the parameters without the signature. Those that are not signed are ignored.
  /// - Throws: ``DriveSignatureError`` for parameters whose signature is ambiguous, or if OpenSSL fails.
  package static func sign(_ parameters: [Parameter], secret: Secret) throws(DriveSignatureError) -> String {
    try sign(text: try text(of: parameters), secret: secret)
  }

  /// The signature of a text as returned by `text(of:)`.
  static func sign(text: [UInt8], secret: Secret) throws(DriveSignatureError) -> String {
    do throws(CryptographyError) {
      return try secret.withExposed { (key) throws(CryptographyError) in
        Base64.encode(try HMAC.code(.sha1, key: key, message: text))
      }
    } catch { throw .cryptography(error) }
  }

  /// The signed text.
  ///
  /// Names are not part of it, so a value with a line feed could be mistaken for two parameters. Official clients disagree about whether
  /// an empty value becomes an empty line or nothing. Both kinds of value are refused, so that a signature always has one meaning.
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

/// Why a request cannot be signed.
package enum DriveSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  case emptyValue(String)
  case lineFeed(String)
  case repeatedParameter(String)
  case cryptography(CryptographyError)

  package var description: String {
    switch self {
    case .emptyValue(let name): "the parameter \(name) is empty"
    case .lineFeed(let name): "the parameter \(name) contains a line feed"
    case .repeatedParameter(let name): "the parameter \(name) occurs more than once"
    case .cryptography(let error): error.description
    }
  }
}
