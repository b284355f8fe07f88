public import Bytes
public import Cryptography
public import OAuthValues

/// The signature of a received request, for servers (RFC 5849 §3.2).
///
/// Create the ``SignableRequest`` from the received request with ``RequestURL/init(scheme:hostHeader:target:)``. The server must also
/// check that the key and token exist, the timestamp is recent and the nonce is new.
public struct ReceivedSignature: Sendable, Hashable {
  /// The value of `oauth_consumer_key`.
  public let consumerKey: String
  /// The value of `oauth_token`; nil if it was not sent, empty if it was sent without a value.
  public let token: String?
  /// The signature method that the client used.
  public let method: OAuth.SignatureMethod
  /// The value of `oauth_timestamp`, which is optional only for PLAINTEXT (§3.1).
  public let timestamp: Int64?
  /// The value of `oauth_nonce`, which is optional only for PLAINTEXT.
  public let nonce: String?
  /// The text that the client must have signed.
  public let baseString: OAuth.BaseString
  /// All decoded parameters from the query, the form and the header, except the realm.
  public let parameters: [OAuth.Parameter]

  private let claimed: [UInt8]

  /// Collects the parameters of a request. A protocol parameter may be in the header, the form body or the query (§3.5), but may appear
  /// only once.
  ///
  /// - Throws: ``ReceivedSignatureError`` if the signature cannot be checked.
  public init(request: SignableRequest, header: AuthorizationHeader?) throws(ReceivedSignatureError) {
    let sent: [OAuth.Parameter]
    do throws(OAuth.FormError) {
      sent = try request.parameters() + (header?.parameters ?? [])
    } catch {
      throw .badQuery(error)
    }
    let fields = try ProtocolFields(sent)
    consumerKey = try fields.required("oauth_consumer_key")
    token = try fields.optional("oauth_token")
    claimed = Array(try fields.required("oauth_signature").utf8)
    let methodName = try fields.required("oauth_signature_method")
    guard let method = OAuth.SignatureMethod(rawValue: methodName) else { throw .unsupportedMethod(methodName) }
    self.method = method
    let version = try fields.optional("oauth_version")
    guard version == nil || version == "1.0" else { throw .unsupportedVersion }
    timestamp = try fields.timestamp(isRequired: method != .plaintext)
    nonce = method == .plaintext ? try fields.optional("oauth_nonce") : try fields.required("oauth_nonce")
    parameters = sent
    // The signature is not part of the signed text (§3.4.1.3.1).
    let signed = NormalizedParameters(sent.filter { !$0.isNamed("oauth_signature") })
    baseString = OAuth.BaseString(method: request.method, url: request.url, parameters: signed)
  }

  /// Returns whether the signature was made with these secrets. The comparison takes constant time.
  ///
  /// - Throws: ``CryptographyError`` if OpenSSL fails. In this case, it is unknown whether the signature is valid.
  public func isValid(clientSecret: OAuth.Secret, tokenSecret: OAuth.Secret?) throws(CryptographyError)
    -> Bool
  {
    let key = SigningKey(clientSecret: clientSecret, tokenSecret: tokenSecret)
    return try OAuth.Signature(method, over: baseString.bytes, key: key).matches(claimed)
  }

  /// The value of the parameter with the given name; nil if there is no such parameter, or if its value is not UTF-8.
  public subscript(name: String) -> String? {
    parameters.first { $0.isNamed(name) }?.valueText
  }
}

/// The `oauth_` parameters of a request, without duplicates.
private struct ProtocolFields {
  private let values: [[UInt8]: OAuth.Parameter]

  init(_ parameters: [OAuth.Parameter]) throws(ReceivedSignatureError) {
    var values: [[UInt8]: OAuth.Parameter] = [:]
    for parameter in parameters where parameter.isProtocolParameter {
      guard values.updateValue(parameter, forKey: parameter.name) == nil else {
        throw .duplicateParameter(String(decoding: parameter.name, as: UTF8.self))
      }
    }
    self.values = values
  }

  func optional(_ name: String) throws(ReceivedSignatureError) -> String? {
    guard let parameter = values[Array(name.utf8)] else { return nil }
    guard let text = parameter.valueText else { throw .notText(name) }
    return text
  }

  func required(_ name: String) throws(ReceivedSignatureError) -> String {
    guard let text = try optional(name), !text.isEmpty else { throw .missingParameter(name) }
    return text
  }

  func timestamp(isRequired: Bool) throws(ReceivedSignatureError) -> Int64? {
    guard isRequired || values[Array("oauth_timestamp".utf8)] != nil else { return nil }
    let text = try required("oauth_timestamp")
    guard text.utf8.allSatisfy(ASCII.isDigit), let seconds = Int64(text), seconds > 0 else { throw .badTimestamp }
    return seconds
  }
}

extension ReceivedSignature: CustomStringConvertible, CustomReflectable {
  /// The method and the consumer key, but no secret.
  public var description: String { "\(method.rawValue) from \(consumerKey)" }

  /// An empty mirror, because a PLAINTEXT signature contains secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An error in a request that prevents its signature from being checked. The server should respond with 400 (RFC 5849 §3.2).
public enum ReceivedSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A parameter required by §3.1 is missing.
  case missingParameter(String)
  /// A protocol parameter appears more than once.
  case duplicateParameter(String)
  /// The signature method is not supported; the value is the name sent by the client.
  case unsupportedMethod(String)
  /// `oauth_version` is present but not `1.0`.
  case unsupportedVersion
  /// `oauth_timestamp` is not a positive integer.
  case badTimestamp
  /// A protocol parameter is not valid UTF-8.
  case notText(String)
  /// The query is not valid form data.
  case badQuery(OAuth.FormError)

  /// Describes the error in a sentence.
  public var description: String {
    switch self {
    case .missingParameter(let name): "The parameter \(name) is missing."
    case .duplicateParameter(let name): "The parameter \(name) appears more than once."
    case .unsupportedMethod(let name): "The signature method \(name) is not supported."
    case .unsupportedVersion: "The parameter oauth_version is not 1.0."
    case .badTimestamp: "The parameter oauth_timestamp is not a positive integer."
    case .notText(let name): "The parameter \(name) is not UTF-8."
    case .badQuery(let error): "The query is malformed. \(error)"
    }
  }
}
