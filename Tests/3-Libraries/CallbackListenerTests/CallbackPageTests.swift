import CallbackListener
import HTTP
import Testing

@Suite struct CallbackPageTests {
  @Test("a callback page escapes all text, loads no resources and is not cached")
  func page() {
    let response = CallbackPage("<b>&\"'", "a < b").response(.ok, for: "<i>")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("&lt;b&gt;&amp;&quot;&#39;"))
    #expect(html.contains("a &lt; b"))
    #expect(!html.contains("<b>") && !html.contains("<i>"))
    #expect(html.contains("<link rel=\"icon\" href=\"data:,\">"))
    #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("<script"))
    #expect(response.headers.first("Cache-Control") == "no-store")
    #expect(response.headers.first("Referrer-Policy") == "no-referrer")
    #expect(
      response.headers.first("Content-Security-Policy")?.hasPrefix(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:") == true)
  }

  @Test("control characters and bidirectional controls are left out of a callback page")
  func controls() {
    let response = CallbackPage("a\u{202e}b\u{7}\u{9b}c", "one\ntwo\u{2028}three").response(.ok, for: "Test")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("<h1>abc</h1>"))
    #expect(html.contains("<p>one two three</p>"))
  }
}
