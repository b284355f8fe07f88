import Testing

@testable import Bytes

@Suite("Host names with non-ASCII letters") struct DomainNameTests {
  @Test(
    "a name is converted by IDNA 2008 without transitional mapping",
    arguments: [
      ("müller.example", "xn--mller-kva.example"), ("MÜLLER.Example", "xn--mller-kva.example"),
      ("mu\u{308}ller.example", "xn--mller-kva.example"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
      // The transitional mapping would be strasse.example and βόλοσ.example.
      ("straße.example", "xn--strae-oqa.example"), ("βόλος.example", "xn--nxasmm1c.example"),
      ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("social.example", "social.example"), ("Social.Example", "Social.Example"),
      ("[::1]", "[::1]"), ("", ""),
    ])
  func conversion(name: String, ascii: String) throws {
    #expect(try DomainName.ascii(name) == ascii)
  }

  @Test(
    "a name that is not a domain name is refused, especially one that would end its host",
    arguments: [
      "mü ller.example", "m\u{FC}\u{0}.example", "ü\u{202E}.example", "ü／x.example", "ü？x.example", "ü＠x.example",
      "ü：8.example",
      "-ü-.example", String(repeating: "ü", count: 600), "😀\u{200D}.example",
    ])
  func refused(name: String) {
    let error = #expect(throws: DomainNameError.self) { try DomainName.ascii(name) }
    #expect(error?.description.contains("cannot be the name of a server") == true)
  }

  @Test(
    "a name is shown in letters unless a label mixes scripts that no language writes together",
    arguments: [
      ("xn--mller-kva.example", "müller.example"), ("xn--mller-kva.example:8443", "müller.example:8443"),
      ("xn--e1afmkfd.xn--p1ai", "пример.рф"), ("xn--r8jz45g.xn--zckzah", "例え.テスト"),
      ("social.example", "social.example"),
      ("xn--pple-43d.example", "xn--pple-43d.example"), ("xn--.example", "xn--.example"),
      ("xn--a.example", "xn--a.example"),
      ("[::1]:80", "[::1]:80"), ("", ""),
    ])
  func shown(host: String, text: String) {
    #expect(DomainName.shown(host) == text)
  }

  @Test(
    "only the host of an address is converted",
    arguments: [
      ("müller.example", "xn--mller-kva.example"), ("müller.example:8443/ü", "xn--mller-kva.example:8443/ü"),
      ("https://müller.example/@robin?ü#ü", "https://xn--mller-kva.example/@robin?ü#ü"),
      ("https://ü@müller.example/", "https://ü@xn--mller-kva.example/"),
      ("https://social.example/ü", "https://social.example/ü"), ("/ü", "/ü"),
    ])
  func addresses(address: String, ascii: String) throws {
    #expect(try DomainName.addressInASCII(address) == ascii)
  }
}
