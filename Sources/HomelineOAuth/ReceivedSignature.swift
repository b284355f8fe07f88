/// The server's side: what a request claims, to be checked against the secrets that belong to it (RFC 5849 §3.2).
///
/// The server builds the ``SignableRequest`` from what came over the wire, with ``RequestURL/init(scheme:hostHeader:target:)``.
/// Whether the key and token exist, the timestamp is near and the nonce is new is for the server to decide.
public struct ReceivedSignature: Sendable, Hashable {
  /// `oauth_consumer_key`.
  public let consumerKey: String
  /// `oauth_token`; nil when it is left out, and empty when it was sent so.
  public let token: String?
  /// How the client says it signed.
  public let method: OAuth.SignatureMethod
  /// `oauth_timestamp`; only PLAINTEXT may leave it out (§3.1).
  public let timestamp: Int64?
  /// `oauth_nonce`; only PLAINTEXT may leave it out.
  public let nonce: String?
  /// What the signature must have been made over.
  public let baseString: OAuth.BaseString
  /// Every parameter of the request, decoded: query, form and header, without realm.
  public let parameters: [OAuth.Parameter]

  private let claimed: [UInt8]

  /// Collects what was sent. Protocol parameters may stand in the header, the form body or the query (§3.5), each at most
  /// once over all three.
  ///
  /// - Throws: ``ReceivedSignatureError`` when the request is not one whose signature can be checked.
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
    // The signature is no part of what it signs (§3.4.1.3.1).
    let signed = NormalizedParameters(sent.filter { !$0.isNamed("oauth_signature") })
    baseString = OAuth.BaseString(method: request.method, url: request.url, parameters: signed)
  }

  /// Whether these secrets make the signature that was sent. The comparison takes constant time.
  ///
  /// - Throws: ``CryptographyError`` when OpenSSL will not compute it; that is no answer about the request.
  public func isMade(withClientSecret clientSecret: OAuth.Secret, tokenSecret: OAuth.Secret?) throws(CryptographyError)
    -> Bool
  {
    let key = SigningKey(clientSecret: clientSecret, tokenSecret: tokenSecret)
    return try OAuth.Signature(method, over: baseString.bytes, key: key).matches(claimed)
  }

  /// The value of the parameter with this name, nil when there is none or it is not UTF-8.
  public subscript(name: String) -> String? {
    parameters.first { $0.isNamed(name) }?.valueText
  }
}

/// The `oauth_` parameters of a request, each known to come once.
private struct ProtocolFields {
  private let values: [[UInt8]: OAuth.Parameter]

  init(_ parameters: [OAuth.Parameter]) throws(ReceivedSignatureError) {
    var values: [[UInt8]: OAuth.Parameter] = [:]
    for parameter in parameters where parameter.isProtocolParameter {
      guard values.updateValue(parameter, forKey: parameter.name) == nil else {
        throw .doubledParameter(String(decoding: parameter.name, as: UTF8.self))
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
  /// The method and who asks; nothing secret.
  public var description: String { "\(method.rawValue) from \(consumerKey)" }

  /// A mirror without children: a PLAINTEXT signature holds secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a server cannot even begin to check a request's signature; it answers 400 (RFC 5849 §3.2).
public enum ReceivedSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A parameter that §3.1 requires is not there.
  case missingParameter(String)
  /// A protocol parameter comes twice.
  case doubledParameter(String)
  /// A method that is not offered, in the client's words.
  case unsupportedMethod(String)
  /// `oauth_version` is there and not `1.0`.
  case unsupportedVersion
  /// `oauth_timestamp` is not a positive integer.
  case badTimestamp
  /// A protocol parameter's bytes are not UTF-8.
  case notText(String)
  /// The query cannot be read.
  case badQuery(OAuth.FormError)

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .missingParameter(let name): "The parameter \(name) is missing."
    case .doubledParameter(let name): "The parameter \(name) comes twice."
    case .unsupportedMethod(let name): "The signature method \(name) is not offered."
    case .unsupportedVersion: "The parameter oauth_version is not 1.0."
    case .badTimestamp: "The parameter oauth_timestamp is not a positive integer."
    case .notText(let name): "The parameter \(name) is not UTF-8."
    case .badQuery(let error): "The query cannot be read. \(error)"
    }
  }
}
