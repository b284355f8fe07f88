import TestSupport
import Foundation
import Testing

/// The vectors in `Tests/Vectors/gokuai-vectors.json`, which are read only once.
struct DriveVectors: Decodable {
  struct Signing: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let secret: String
    let params: [String: String]
    let stringToSign: String
    let sign: String
    let signInForm: String
    let wrongWithHashAndSize: String?

    var testDescription: String { id }
  }

  struct File: Decodable, Sendable {
    let name: String
    let bytesHex: String?
    let size: Int
    let sha1: String
    let crc32Decimal: String
  }

  struct Ranges: Decodable, Sendable {
    let size: Int
    let block: Int
    let ranges: [String]
  }

  struct Path: Decodable, Sendable {
    let given: String
    let kind: String
    let send: String
  }

  struct FileName: Decodable, Sendable {
    let filename: String
    let rfc3986: String
  }

  let signing: [Signing]
  let files: [File]
  let ranges: [Ranges]
  let pathsSeedRule: [Path]
  let filenameHeader: [FileName]

  static let published: DriveVectors = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(
        DriveVectors.self, from: Data(contentsOf: URL(filePath: Repository.path("Tests/Vectors/gokuai-vectors.json"))))
    } catch { fatalError("\(error)") }
  }()
}
