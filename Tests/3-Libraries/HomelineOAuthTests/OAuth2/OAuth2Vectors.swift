import TestSupport
import Bytes
import FoundationEssentials

/// The vectors in `Tests/Vectors/oauth2-vectors.json`, which are read only once.
struct OAuth2Vectors: Decodable {
  struct Base64: Decodable, Sendable {
    let bytes: [UInt8]
    let expected: String
  }

  struct Challenge: Decodable, Sendable {
    let verifierBytes: [UInt8]
    let verifier: String
    let challenge: String

    enum CodingKeys: String, CodingKey {
      case verifier, challenge
      case verifierBytes = "verifier_bytes"
    }
  }

  struct VerifierSyntax: Decodable, Sendable {
    let length: Int
    let valid: Bool

    enum CodingKeys: String, CodingKey {
      case valid
      case length = "verifier_length"
    }
  }

  struct MetadataURL: Decodable, Sendable {
    let issuer: String
    let url: String
  }

  struct IssuerComparison: Decodable, Sendable {
    let expected: String
    let received: String
    let accept: Bool
  }

  let base64: [Base64]
  let challenges: [Challenge]
  let verifierSyntax: [VerifierSyntax]
  let metadataURLs: [MetadataURL]
  let issuerComparisons: [IssuerComparison]

  enum CodingKeys: String, CodingKey {
    case base64 = "base64url_no_padding"
    case challenges = "pkce_s256"
    case verifierSyntax = "pkce_verifier_syntax"
    case metadataURLs = "metadata_url"
    case issuerComparisons = "iss_compare"
  }

  static let published: OAuth2Vectors = {
    let file = URL(filePath: Repository.path("Tests/Vectors/oauth2-vectors.json"))
    do {
      return try JSONDecoder().decode(OAuth2Vectors.self, from: Data(contentsOf: file))
    } catch {
      fatalError("The published vectors cannot be read: \(error)")
    }
  }()
}
