import Bytes
import HomelineOAuth
import Testing

@Suite("Secret values")
struct SecretTests {
  @Test("printing, debugging and dumping do not reveal a secret")
  func nothingIsPrinted() {
    let secret = Secret("kd94hf93k423kf44")
    var dumped = ""
    dump(ClientCredentials(identifier: "key", secret: secret), to: &dumped)
    let shown = [String(describing: secret), String(reflecting: secret), "\(secret)", "\([secret])", dumped]
    for text in shown {
      #expect(!text.contains("kd94"))
      #expect(text.contains("<redacted>"))
    }
    #expect(secret.customMirror.children.isEmpty)
  }

  @Test("secrets are equal if and only if their bytes are equal")
  func equality() {
    #expect(Secret("abc") == Secret(bytes: [0x61, 0x62, 0x63]))
    #expect(Secret("abc") != Secret("abd"))
    #expect(Secret("abc") != Secret("ab"))
    #expect(Secret("") == Secret(bytes: []))
    #expect(Set([Secret("a"), Secret("a"), Secret("b")]).count == 2)
  }

  @Test("composed and decomposed characters make different secrets")
  func noUnicodeNormalisation() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(Secret("\u{E9}") != Secret("e\u{301}"))
    #expect(!equalInConstantTime("\u{E9}", "e\u{301}"))
  }

  @Test("the bytes of a secret are available on request")
  func exposure() {
    #expect(Secret("é").withExposed { $0 } == [0xC3, 0xA9])
    #expect(Secret("é").withExposedText { $0 + "!" } == "é!")
    #expect(Secret("").isEmpty)
    #expect(!Secret(" ").isEmpty)
  }
}
