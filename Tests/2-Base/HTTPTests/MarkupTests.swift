import TestSupport
import Testing

@testable import HTTP

@Suite("Markup")
struct MarkupTests {
  @Test("text in an interpolation is escaped in content and attributes")
  func text() {
    let text = #"<script>"alert('&')"</script>"#
    let markup: Markup = #"<p title="\#(text)">\#(text)</p>"#
    let escaped = "&lt;script&gt;&quot;alert(&#39;&amp;&#39;)&quot;&lt;/script&gt;"
    #expect(markup.text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test("a substring and a literal in an interpolation are escaped too")
  func substring() {
    let markup: Markup = "\("<b>x".dropFirst())\("<i>")"
    #expect(markup.text == "b&gt;x&lt;i&gt;")
  }

  @Test("numbers and markup are inserted as they are")
  func values() {
    let link: Markup = "<a href=\"/\(7)\">\(UInt8(9)) \(-1)</a>"
    let page: Markup = "<p>\(link)\(link)</p>"
    #expect(page.text == "<p>" + String(repeating: "<a href=\"/7\">9 -1</a>", count: 2) + "</p>")
  }

  @Test("a literal is markup, also as a part of a sum and as an alternative", arguments: [true, false])
  func literals(isOpen: Bool) {
    var markup: Markup = isOpen ? "<details open>" : "<details>"
    markup += "é&amp;" + Markup(escaping: "<") + "</details>"
    #expect(markup.text == "<details\(isOpen ? " open" : "")>é&amp;&lt;</details>")
    #expect(Markup().isEmpty && ("" as Markup).isEmpty && !markup.isEmpty)
    #expect(("\u{41}" as Markup).text == "A")
  }

  @Test("a sequence is joined with a separator")
  func joined() {
    let items: [Markup] = ["<i>1</i>", "\("<")", ""]
    #expect(items.joined(separator: ",<br>").text == "<i>1</i>,<br>&lt;,<br>")
    #expect(items.joined().text == "<i>1</i>&lt;")
    #expect([Markup]().joined(separator: ",").isEmpty)
  }

  @Test("characters that XML does not allow are removed, and all others kept")
  func characters() {
    let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    #expect(Markup(escaping: "a" + controls + "z").text == "a\t\n\rz")
    #expect(Markup(escaping: "a\u{fffe}\u{ffff}z").text == "az")
    #expect(Markup(escaping: "]]>").text == "]]&gt;")
    for kept in ["é日👩‍💻", "\u{fffd}", "\u{10fffd}", "\u{e000}", "\u{feff}", "\u{efff}"] {
      #expect(Array(Markup(escaping: kept).text.utf8) == Array(kept.utf8))
    }
  }

  @Test("a special character before a combining mark is escaped")
  func combining() {
    #expect(Array(Markup(escaping: "<\u{301}\"\u{20e3}").text.utf8) == Array("&lt;\u{301}&quot;\u{20e3}".utf8))
  }

  @Test("a parser finds in hostile text's markup one text, the same, and no tag", arguments: 0..<200 as Range<UInt64>)
  func hostile(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "<", ">", "&", "\"", "'", "&amp;", "&#39", "<!--", "-->", "]]>", "</p>", "<script>", "javascript:", " onload=",
      "\n",
      "`", "\\", "é", "\u{301}", "日", "\u{202e}", "👩‍💻", "\u{feff}", "a", "=", "/", "&lt",
    ]
    let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
    let markup: Markup = "<p title=\"\(text)\">\(text)</p>"
    let inside = markup.text.utf8.dropFirst(10).dropLast(4)
    #expect(!inside.contains(UInt8(ascii: "<")) && !inside.contains(UInt8(ascii: "'")))
    let parts = markup.bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    // The attribute and the content, read as a browser does (HTML Standard, "character reference state").
    for part in [parts[1], parts[2].dropFirst().dropLast(4)] {
      #expect(Self.unescaped(part).map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  /// Returns the text of markup that has only the five references.
  private static func unescaped(_ markup: ArraySlice<UInt8>) -> String? {
    var text = ""
    var rest = String(decoding: markup, as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.first {
      if scalar != "&" {
        text.unicodeScalars.append(scalar)
        rest.removeFirst()
        continue
      }
      guard let end = rest.firstIndex(of: ";"),
        let character = references[String(String.UnicodeScalarView(rest[..<end]))]
      else { return nil }
      text.unicodeScalars.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return text
  }

  private static let references: [String: Unicode.Scalar] = [
    "&amp": "&", "&lt": "<", "&gt": ">", "&quot": "\"", "&#39": "'",
  ]
}
