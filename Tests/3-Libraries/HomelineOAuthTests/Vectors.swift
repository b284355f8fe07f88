import TestSupport
import FoundationEssentials
import HomelineOAuth

/// The vectors in `Tests/Vectors/oauth1-vectors.json`, which are read only once.
struct Vectors: Decodable {
  struct PercentEncoding: Decodable, Sendable {
    let input: String
    let utf8Hex: String
    let expected: String

    enum CodingKeys: String, CodingKey {
      case input
      case utf8Hex = "utf8_hex"
      case expected
    }
  }

  struct FormDecoding: Decodable, Sendable {
    let input: String
    let expectedPairs: [[String]]

    enum CodingKeys: String, CodingKey {
      case input
      case expectedPairs = "expected_pairs"
    }
  }

  struct BaseStringURI: Decodable, Sendable {
    let url: String
    let expected: String
    let hostHeader: String?

    enum CodingKeys: String, CodingKey {
      case url, expected
      case hostHeader = "host_header"
    }
  }

  struct Normalize: Decodable, Sendable {
    let pairs: [[String]]
    let expected: String
  }

  struct Primitive: Decodable, Sendable {
    let method: String
    let baseString: String
    let consumerSecret: String
    let tokenSecret: String
    let key: String
    let signature: String

    enum CodingKeys: String, CodingKey {
      case method, key, signature
      case baseString = "base_string"
      case consumerSecret = "consumer_secret"
      case tokenSecret = "token_secret"
    }
  }

  struct SignedRequest: Decodable, Sendable, CustomStringConvertible {
    let id: String
    let method: String
    let url: String
    let oauthParams: [[String]]
    let consumerSecret: String
    let tokenSecret: String
    let signedPairsDecoded: [[String]]
    let baseStringURI: String
    let normalizedParameters: String
    let baseString: String
    let signature: String
    let body: String?
    let contentType: String?
    let hostHeader: String?

    var description: String { id }

    enum CodingKeys: String, CodingKey {
      case id, method, url, signature, body
      case oauthParams = "oauth_params"
      case consumerSecret = "consumer_secret"
      case tokenSecret = "token_secret"
      case signedPairsDecoded = "signed_pairs_decoded"
      case baseStringURI = "base_string_uri"
      case normalizedParameters = "normalized_parameters"
      case baseString = "base_string"
      case contentType = "content_type"
      case hostHeader = "host_header"
    }
  }

  struct RSA: Decodable, Sendable {
    let method: String
    let url: String
    let oauthParams: [[String]]
    let baseString: String

    enum CodingKeys: String, CodingKey {
      case method, url
      case oauthParams = "oauth_params"
      case baseString = "base_string"
    }
  }

  struct HeaderBuild: Decodable, Sendable {
    let params: [[String]]
    let realm: String?
    let expected: String
  }

  struct HeaderParse: Decodable, Sendable {
    let input: String
    let expectedRealm: String?
    let expectedParams: [[String]]?
    let expectedError: String?

    enum CodingKeys: String, CodingKey {
      case input
      case expectedRealm = "expected_realm"
      case expectedParams = "expected_params"
      case expectedError = "expected_error"
    }
  }

  struct TokenResponse: Decodable, Sendable {
    let body: String
    let expected: [[String]]?
    let expectedError: String?
    let httpStatus: Int?

    enum CodingKeys: String, CodingKey {
      case body, expected
      case expectedError = "expected_error"
      case httpStatus = "http_status"
    }
  }

  struct Callback: Decodable, Sendable {
    let target: String
    let expected: String?
    let expectedError: String?

    enum CodingKeys: String, CodingKey {
      case target, expected
      case expectedError = "expected_error"
    }
  }

  let percentEncoding: [PercentEncoding]
  let formDecoding: [FormDecoding]
  let baseStringURI: [BaseStringURI]
  let normalize: [Normalize]
  let signaturePrimitive: [Primitive]
  let signedRequests: [SignedRequest]
  let rsaSHA1: RSA
  let authorizationHeaderBuild: [HeaderBuild]
  let authorizationHeaderParse: [HeaderParse]
  let tokenResponseParse: [TokenResponse]
  let callbackParse: [Callback]

  enum CodingKeys: String, CodingKey {
    case normalize
    case percentEncoding = "percent_encoding"
    case formDecoding = "form_decoding"
    case baseStringURI = "base_string_uri"
    case signaturePrimitive = "signature_primitive"
    case signedRequests = "signed_requests"
    case rsaSHA1 = "rsa_sha1"
    case authorizationHeaderBuild = "authorization_header_build"
    case authorizationHeaderParse = "authorization_header_parse"
    case tokenResponseParse = "token_response_parse"
    case callbackParse = "callback_parse"
  }

  static let published: Vectors = {
    let file = URL(filePath: Repository.path("Tests/Vectors/oauth1-vectors.json"))
    do {
      return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    } catch {
      fatalError("The published vectors cannot be read: \(error)")
    }
  }()

  static func request(_ id: String) -> SignedRequest {
    guard let found = published.signedRequests.first(where: { $0.id == id }) else { fatalError("No vector \(id).") }
    return found
  }
}

func parameters(_ pairs: [[String]]) -> [Parameter] {
  pairs.map { Parameter($0[0], $0[1]) }
}
