import TestSupport
import FoundationEssentials
import Testing

@testable import Posting

/// The vectors in `Tests/Vectors/counting-vectors.json`.
@Suite struct LengthVectorTests {
  struct Vectors: Decodable {
    let cases: [Case]
  }

  struct Case: Decodable {
    let text: String
    let weighted: Int
    let isValid: Bool
    let graphemes: Int
    let bytes: Int
    let scalars: Int
    let mastodon: Int

    enum CodingKeys: String, CodingKey {
      case text, graphemes, scalars
      case weighted = "x_weighted"
      case isValid = "x_valid"
      case bytes = "utf8_bytes"
      case mastodon = "mastodon_simplified"
    }
  }

  private static let cases: [Case] = {
    let file = URL(filePath: Repository.path("Tests/Vectors/counting-vectors.json"))
    return try! JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).cases
  }()

  @Test("each text in the published vectors has the length given there", arguments: cases.indices)
  func published(index: Int) {
    let expected = Self.cases[index]
    let weighted = LengthRule.weighted().length(of: expected.text)
    #expect(weighted.count == expected.weighted)
    #expect(weighted.isWithinLimit == expected.isValid)
    #expect(LengthRule.mastodon(limit: 500).length(of: expected.text).count == expected.mastodon)
    #expect(LengthRule.graphemes(limit: 300).length(of: expected.text).count == expected.graphemes)
    #expect(LengthRule.codePoints(limit: nil).length(of: expected.text).count == expected.scalars)
    let bytes = LengthRule.graphemes(limit: 1000, byteLimit: 0).length(of: expected.text)
    #expect(bytes.count == expected.bytes && bytes.unit == .bytes)
  }
}
