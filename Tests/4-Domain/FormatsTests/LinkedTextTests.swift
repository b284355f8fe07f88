import HTTP
import Testing

@testable import Formats

struct WebLinkTests {
  @Test(
    "a web address in text becomes a link",
    arguments: [
      "https://example.com", "http://example.com:8080/", "https://example.com/a(b)?c=d&e=%20#f",
      "https://[::1]:80/x", "https://münchen.example/ü", "https://日本.example/", "https://127.0.0.1/",
    ])
  func links(address: String) { #expect(WebLink(address)?.text == address) }

  @Test("an address that is not a web address does not become a link")
  func others() {
    for address in [
      "javascript:alert(1)", "JavaScript://example.com/%0aalert(1)", "data:text/html,x", "file:///etc/passwd",
      "//example.com", "/path", "", "https://", "https:///x", "https:example.com", "ftp://example.com",
      "https://user@example.com/", "https://example.com:80@evil.example/", "https://example.com:port/",
      "https://exa mple.com/", "https://example.com/a b", "https://example.com/\u{0}", "https://example.com/\n",
      "https://example.com/\"onload=", "https://example.com/<", "https://example.com\\@evil.example",
      "https://example.com/\u{202e}", "https://exam\u{200b}ple.com/", "https://-/", "https://[]/", "https://[x]/",
      " https://example.com",
    ] { #expect(WebLink(address) == nil, "\(address.debugDescription)") }
  }

  @Test("a link's scheme may be in capitals, and characters not allowed in a URI are percent-encoded")
  func written() {
    #expect(WebLink("HTTPS://Example.com/A")?.text == "https://Example.com/A")
    #expect(WebLink("HTTPS://example.com/")?.isEncrypted == true)
    #expect(WebLink("http://example.com/")?.isEncrypted == false)
    #expect(
      WebLink("http://a.example/{x}|^`?a[]=100%#b#c%2")?.text
        == "http://a.example/%7Bx%7D%7C%5E%60?a%5B%5D=100%25#b%23c%252")
  }
}

struct LinkedTextTests {
  private func link(_ address: String) -> String {
    "<a href=\"\(address)\" rel=\"noopener noreferrer nofollow\">\(address)</a>"
  }

  @Test("addresses in a sentence become links, and the rest of the sentence remains plain text")
  func sentences() {
    let address = "https://example.com/x"
    for (text, html) in [
      ("see \(address).", "see \(link(address))."),
      ("(\(address))", "(\(link(address)))"),
      ("\(address)?! or \(address),", "\(link(address))?! or \(link(address)),"),
      ("見て\(address)。次", "見て\(link(address))。次"),
      ("见\(address)这是", "见\(link(address))这是"),
      ("a\u{301}\(address)", "a\u{301}\(link(address))"),
      ("\"\(address)\"", "&quot;\(link(address))&quot;"),
      ("<\(address)>", "&lt;\(link(address))&gt;"),
      ("https://en.example/A_(b)", link("https://en.example/A_(b)")),
      ("https://de.example/wiki/München!", link("https://de.example/wiki/München") + "!"),
      ("x\(address)", "x\(address)"), ("https://", "https://"), ("https://...", "https://..."),
      ("http", "http"), ("", ""),
    ] { #expect(LinkedText.html(of: text).text == html) }
  }

  @Test("special markup characters in an address are also escaped in its link")
  func escaped() {
    #expect(
      LinkedText.html(of: "https://example.com/?a=1&b='2'x").text
        == "<a href=\"https://example.com/?a=1&amp;b=&#39;2&#39;x\" rel=\"noopener noreferrer nofollow\">"
        + "https://example.com/?a=1&amp;b=&#39;2&#39;x</a>")
  }

  @Test("only web addresses become links, and no other markup reaches the output")
  func hostile() {
    for text in [
      "javascript:alert(1)", "javascript://x.example/%0aalert(1)", "data:text/html;base64,x", "vbscript:x",
      "https://bank.example@evil.example/",
    ] { #expect(!LinkedText.html(of: text).text.contains("<")) }
    #expect(LinkedText.html(of: "<script>alert(1)</script>").text == "&lt;script&gt;alert(1)&lt;/script&gt;")
    let html = LinkedText.html(of: "https://example.com/\"onmouseover=alert(1)").text
    #expect(html == link("https://example.com/") + "&quot;onmouseover=alert(1)")
  }

  @Test("text keeps its line breaks, but loses terminal controls and changes of text direction")
  func lines() {
    #expect(LinkedText.html(of: "a\r\nb\n\nc").text == "a<br>b<br><br>c")
    #expect(LinkedText.html(of: "a\u{202e}b\u{2069}c\u{0}d\u{1b}[31me").text == "abcde")
    #expect(LinkedText.html(of: "https://example.com/\u{202e}moc.live").text == link("https://example.com/moc.live"))
  }

  @Test("an address with 100,000 brackets and a text with 10,000 beginnings of addresses can be read")
  func long() {
    let brackets = String(repeating: ")", count: 100_000)
    #expect(LinkedText.html(of: "https://example.com/" + brackets).text == link("https://example.com/") + brackets)
    let beginnings = String(repeating: "https://", count: 10_000)
    #expect(LinkedText.html(of: beginnings + " x").text.hasSuffix(" x"))
  }
}
