import Testing
import Timeline

@Suite struct TextTests {
  private func text(_ full: String, links: [(String, String)] = []) throws -> String {
    let urls = links.map { #"{"url":"\#($0.0)","expanded_url":"\#($0.1)"}"# }.joined(separator: ",")
    return try Samples.post(#""full_text":"\#(full)","entities":{"urls":[\#(urls)]}"#).text
  }

  private static let references: [(escaped: String, plain: String)] = [
    ("a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#39; &apos;f&apos;", "a & b <c> \"d\" 'e' 'f'"),
    ("&amp;lt; &amp;amp;", "&lt; &amp;"), ("R&D & &; &nosuch; &amp", "R&D & &; &nosuch; &amp"),
    ("&#x1F600;&#128512;&#X41;", "😀😀A"),
    ("&#0; &#xD800; &#x110000; &#; &#x; &#+5; &#-5;", "&#0; &#xD800; &#x110000; &#; &#x; &#+5; &#-5;"),
    ("&#00000000000000065;", "&#00000000000000065;"), ("日本&amp;語", "日本&語"), ("&&amp;&", "&&&"),
  ]

  @Test("character references are decoded once, and everything else is unchanged", arguments: references)
  func decoded(escaped: String, plain: String) throws { #expect(try text(escaped) == plain) }

  @Test("short links are expanded anywhere in a post, even after wide characters and references")
  func links() throws {
    let links = [("https://t.co/a", "https://example.org/?x=1&y=2"), ("https://t.co/b", "https://b.example/")]
    #expect(
      try text("👩‍💻&amp;日本https://t.co/aです https://t.co/b, again https://t.co/a", links: links)
        == "👩‍💻&日本https://example.org/?x=1&y=2です https://b.example/, again https://example.org/?x=1&y=2")
  }

  @Test("a short link that begins with another short link is not mistaken for it")
  func linksWithCommonBeginning() throws {
    let links = [("https://t.co/a", "https://one.example"), ("https://t.co/ab", "https://two.example")]
    #expect(
      try text("https://t.co/ab https://t.co/a https://t.co/abc", links: links)
        == "https://two.example https://one.example https://t.co/abc")
  }

  @Test("at most 200 links in a post's text are expanded")
  func manyLinks() throws {
    let links = (0..<300).map { ("https://t.co/\($0)", "https://x.example/\($0)") }
    let parts = try text(links.map(\.0).joined(separator: " "), links: links).split(separator: " ")
    #expect(parts.prefix(200).elementsEqual(links.prefix(200).map { Substring($0.1) }))
    #expect(parts.dropFirst(200).elementsEqual(links.dropFirst(200).map { Substring($0.0) }))
  }

  @Test("a link's target is not decoded or expanded again")
  func expandedOnce() throws {
    let links = [
      ("https://t.co/a", "https://x.example/?q=&amp;&u=https://t.co/b"), ("https://t.co/b", "https://b.example"),
    ]
    #expect(try text("https://t.co/a", links: links) == "https://x.example/?q=&amp;&u=https://t.co/b")
  }

  @Test("a link with an escaped & is found in the text")
  func escapedLink() throws {
    #expect(
      try text("see https://s.example/?a=1&amp;b=2", links: [("https://s.example/?a=1&b=2", "https://long.example")])
        == "see https://long.example")
  }

  @Test("the names at the beginning of a reply are kept, whatever display_text_range contains")
  func leadingMentions() throws {
    #expect(
      try Samples.post(#""full_text":"@kai @ben yes","display_text_range":[10,13]"#).text == "@kai @ben yes")
  }

  @Test("a media link at the end is removed along with the space before it, and other links are expanded")
  func mediaLinks() throws {
    let media =
      #"[{"type":"photo","media_url_https":"https://i.example/1","url":"https://t.co/m","expanded_url":"https://twitter.com/m/status/1/photo/1"}]"#
    func text(_ full: String) throws -> String {
      try Samples.post(#""full_text":"\#(full)","extended_entities":{"media":\#(media)}"#).text
    }
    #expect(try text("Look \\n https://t.co/m") == "Look")
    #expect(try text("https://t.co/m") == "")
    #expect(try text("A https://t.co/m here") == "A https://twitter.com/m/status/1/photo/1 here")
    #expect(try text("Trailing space stays  ") == "Trailing space stays  ")
    #expect(try text("nothttps://t.co/m") == "nothttps://twitter.com/m/status/1/photo/1")
  }

  @Test("a media entity with an empty link does not change the text")
  func emptyMediaLink() throws {
    let post = try Samples.post(
      #""full_text":"R&D","entities":{"media":[{"media_url":"https://i.example/1","url":"","expanded_url":"https://e.example"}]}"#
    )
    #expect(post.text == "R&D")
  }

  @Test("many links to a post's own media at the end of its text are removed")
  func manyMediaLinks() throws {
    let links = (0..<20).map { "https://t.co/m\($0)" }
    let media = links.map { #"{"type":"photo","media_url_https":"https://i.example/1","url":"\#($0)"}"# }
    let post = try Samples.post(
      #""full_text":"A \#(links.joined(separator: " "))","entities":{"media":[\#(media.joined(separator: ","))]}"#)
    #expect(post.text == "A")
  }

  @Test("truncated text is replaced with the text of extended_tweet, with its links and media")
  func extendedTweet() throws {
    let post = try Samples.post(
      #"""
      "text":"The beginning… https://t.co/self","truncated":true,"entities":{"urls":[
        {"url":"https://t.co/self","expanded_url":"https://twitter.com/i/web/status/100"}]},
      "extended_tweet":{"full_text":"The beginning and the end &amp; https://t.co/x https://t.co/m","entities":{"urls":[
        {"url":"https://t.co/x","expanded_url":"https://x.example"}]},
        "extended_entities":{"media":[{"type":"photo","media_url_https":"https://i.example/1","url":"https://t.co/m"}]}}
      """#)
    #expect(post.text == "The beginning and the end & https://x.example")
    #expect(post.media.map(\.url) == ["https://i.example/1"])
  }

  @Test("truncated text without extended_tweet ends with an ellipsis and the post's address")
  func cutText() throws {
    let own = "https://twitter.com/mira_demo/status/100"
    let withLink = #"""
      "text":"The beginning… https://t.co/self","truncated":true,"entities":{"urls":[
        {"url":"https://t.co/self","expanded_url":"https://twitter.com/i/web/status/100"}]}
      """#
    #expect(try Samples.post(withLink).text == "The beginning… \(own)")
    #expect(try Samples.post(#""text":"The beginning","truncated":true"#).text == "The beginning… \(own)")
    #expect(try Samples.post(#""text":"The beginning…","truncated":true"#, by: Samples.other).text == "The beginning…")
    #expect(try Samples.post(#""text":"","truncated":true"#, by: Samples.other).text == "…")
  }

  @Test("in compatibility mode, a short post is returned in full")
  func compatibleText() throws {
    #expect(try Samples.post(#""text":"short &amp; whole","truncated":false"#).text == "short & whole")
  }
}
