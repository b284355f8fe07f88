package import Cryptography
internal import HomelineOAuth

/// The reason a request cannot be signed.
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
