import Bytes
import HomelineOAuth
import TestSupport
import Testing

@testable import Drive

@Suite struct DriveSignatureTests {
  @Test("signing the text of each test vector yields the vector's signature", arguments: DriveVectors.published.signing)
  func signature(vector: DriveVectors.Signing) throws {
    let signature = try DriveSignature.sign(text: Array(vector.stringToSign.utf8), secret: Secret(vector.secret))
    #expect(signature == vector.sign)
    #expect(PercentEncoding.encode(signature) == vector.signInForm)
  }

  @Test(
    "a test vector's parameters yield its signature in any order, unless a value is empty or contains a line feed",
    arguments: DriveVectors.published.signing)
  func parameters(vector: DriveVectors.Signing) throws {
    var random = SeededGenerator(seed: 5)
    let parameters = vector.params.map { Parameter($0.key, $0.value) }.shuffled(using: &random)
    let secret = Secret(vector.secret)
    if vector.params.values.contains(where: { $0.isEmpty }) {
      let name = try #require(vector.params.first { $0.value.isEmpty }?.key)
      #expect(throws: DriveSignatureError.emptyValue(name)) { try DriveSignature.sign(parameters, secret: secret) }
    } else if vector.params.values.contains(where: { $0.contains("\n") }) {
      #expect(throws: DriveSignatureError.lineFeed("b")) { try DriveSignature.sign(parameters, secret: secret) }
    } else {
      #expect(try DriveSignature.sign(parameters, secret: secret) == vector.sign)
    }
  }

  @Test("the Gokuai test vectors contain nineteen signatures")
  func count() { #expect(DriveVectors.published.signing.count == 19) }

  @Test("repeated parameters and parameters that already have a signature are refused")
  func repeated() {
    let secret = Secret("s")
    #expect(throws: DriveSignatureError.repeatedParameter("a")) {
      try DriveSignature.sign([Parameter("a", "1"), Parameter("a", "2")], secret: secret)
    }
    #expect(throws: DriveSignatureError.repeatedParameter("sign")) {
      try DriveSignature.sign([Parameter("a", "1"), Parameter("sign", "2")], secret: secret)
    }
  }
}
