import Testing
import Timeline

@testable import Providers

@Suite struct MastodonTextTests {
  private func text(_ html: String, _ members: String = "") throws -> String {
    try MastodonSamples.text(html, members)
  }

  private static let layouts: [(html: String, text: String)] = [
    ("<p>One</p><p>Two<br>three<br/>four</p>", "One\n\nTwo\nthree\nfour"),
    ("  a \n\t b  ", "a b"),
    ("<p></p><p>a</p>\n<p> </p>", "a"),
    ("a<br><br><br><br><br><br><br>b", "a\n\n\n\nb"),
    ("<p>a</p><blockquote><p>b</p><p>c<br>d</p></blockquote><p>e</p>", "a\n\n> b\n>\n> c\n> d\n\ne"),
    ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc"),
    ("<ul><li>one</li><li>two</li></ul><blockquote><p>quoted</p></blockquote>", "- one\n- two\n\n> quoted"),
    ("<blockquote><ul><li>a</li></ul><blockquote>b</blockquote></blockquote>", "> - a\n>\n> > b"),
    ("<ul><li>a</li><li>b<br>c</li></ul>d", "- a\n- b\n  c\n\nd"),
    ("<ol start=\"9\"><li>a<li>b<ul><li>c</li></ul></li></ol>", "9. a\n10. b\n    - c"),
    ("<p>x</p><pre><code>if a {\n  b\n\n}\n</code></pre>y", "x\n\nif a {\n  b\n\n}\n\ny"),
    ("a <code>b  c</code> <b>d</b><i>e</i>", "a b c de"),
    ("<h1>T</h1>x<hr>y<div>z</div>", "T\n\nx\n\ny\nz"),
    ("<li>a", "- a"), ("</ul></li></blockquote></a>a", "a"), ("", ""),
    (#"<img src="x" alt=":blob:"> <img>"#, ":blob:"),
  ]

  @Test("a post's HTML is laid out as in a browser", arguments: layouts)
  func layout(html: String, text: String) throws {
    // A post with an empty text and a content warning is not the boost of a deleted post.
    let made = try self.text(html, #""spoiler_text":"w""#)
    #expect(made == (text.isEmpty ? "CW: w" : "CW: w\n\n" + text))
  }

  private static let references: [(html: String, text: String)] = [
    ("&lt;b&gt; &amp;amp; &quot;&#39;&apos;", "<b> &amp; \"''"), ("a&nbsp;b&hellip;&eacute;", "a\u{a0}b…é"),
    ("&#x1F600; &#128512;", "😀 😀"), ("&bogus; & &; &#; &#xD800; &#0;", "&bogus; & &; &#; &#xD800; &#0;"),
    ("5 < 6 <3 a<", "5 < 6 <3 a<"), ("&amp;lt;", "&lt;"),
  ]

  @Test("character references in HTML are decoded once, and everything else is unchanged", arguments: references)
  func decoding(html: String, text: String) throws { #expect(try self.text(html) == text) }

  private static let hidden = [
    "a<script>alert('<p>x</p>')</script>b", "a<style>p{}</style >b", "a<!-- <p>x -->b",
    "a<SCRIPT>x</Script>b", "a<template><p>x</p></template>b", "a<?php x ?>b", "a<!DOCTYPE x>b", "a</ x>b",
    #"a<span title="<p>">b</span>"#, "a<title>x</title>b",
  ]

  @Test("scripts, styles, comments and tags in a post are not shown", arguments: hidden)
  func nothingHidden(html: String) throws { #expect(try text(html) == "ab") }

  @Test(
    "unclosed tags, comments and scripts are dropped, as in browsers",
    arguments: ["a<script>x", "a<b x=\"", "a<!-- x", "a<b", "a<p x='>"])
  func unclosed(html: String) throws { #expect(try text(html) == "a") }

  private static let links: [(html: String, text: String)] = [
    (
      #"<a href="https://example.org/long/path?a=1&amp;b=2" rel="nofollow"><span class="invisible">https://</span>"#
        + #"<span class="ellipsis">example.org/long/pa</span><span class="invisible">th?a=1&amp;b=2</span></a>"#,
      "https://example.org/long/path?a=1&b=2"
    ),
    (#"<a href="https://www.example.org/x">example.org/x</a>."#, "https://www.example.org/x."),
    (#"<a href="https://example.org/long">example.org/lo…</a>"#, "https://example.org/long"),
    (#"see <a href='https://evil.example'>bank.example</a> now"#, "see bank.example (https://evil.example) now"),
    (#"<a href="javascript:alert(1)">click</a>"#, "click"), (#"<a>x</a>"#, "x"),
    (#"<a href="https://e.example"></a>"#, "https://e.example"),
    (#"<a href="https://e.example/&#10;x">x</a>"#, "x"), (#"<a href="https://e.example/‮x">x</a>"#, "x"),
    (#"<a href="https://a.example">a<a href="https://b.example">b"#, "https://a.examplehttps://b.example"),
    (#"<a href="https://s.example/tags/swift" class="mention hashtag" rel="tag">#<span>swift</span></a>"#, "#swift"),
    (#"<a class="hashtag" href="https://s.example/tag/x">#x</a>!"#, "#x!"),
    (
      #"<span class="h-card"><a href="https://far.example/@kai" class="u-url mention">@<span>kai</span></a></span> hi"#,
      "@kai@far.example hi"
    ),
    (#"<a href="https://far.example/users/kai" class="u-url mention">@kai</a>"#, "@kai@far.example"),
    (#"<a href="https://social.example/@mira" class="mention">@mira</a>"#, "@mira"),
    (#"<a href="https://else.example/@who" class="mention">@who</a>"#, "@who"),
    (#"<a href="https://else.example/">@who</a>"#, "@who (https://else.example/)"),
  ]

  @Test("links are shown as their target, mentions as the full name, and hashtags as their text", arguments: links)
  func link(html: String, text: String) throws {
    let mentions =
      #""mentions":[{"id":"22","username":"kai","acct":"kai@far.example","url":"https://far.example/@kai"},"#
      + #"{"id":"1","username":"mira","acct":"mira","url":"https://social.example/@mira"}]"#
    #expect(try self.text(html, mentions) == text)
  }

  @Test("an ambiguous short name in a mention is not expanded")
  func ambiguous() throws {
    let mentions =
      #""mentions":[{"username":"kai","acct":"kai@a.example","url":"https://a.example/@kai"},"#
      + #"{"username":"kai","acct":"kai@b.example","url":"https://b.example/@kai"}]"#
    let html =
      #"<a href="https://b.example/@kai" class="mention">@kai</a> <a href="https://x.example/" class="mention">@kai</a>"#
    #expect(try text(html, mentions) == "@kai@b.example @kai")
  }

  @Test("very long text is truncated, and no markup can make it longer or slow to read")
  func long() throws {
    let cut = try text(String(repeating: "é", count: 200_000))
    #expect(cut.hasSuffix("…") && cut.utf8.count < 262_160)
    let pieces = [
      "<a", "<a ", "<a href=\"", "<!--", "<script>", "<blockquote>", "<ul><li>", "</ul>", "&", "<pre>\n", "<",
      "<a href=https://x.example/>a",
      "<a class=mention href=https://far.example/@kai>@kai</a>", "<a href='", "</script", "<p =",
    ]
    let name = String(repeating: "k", count: 250) + "@far.example"
    let mentions =
      #""spoiler_text":"w","mentions":[{"username":"kai","acct":"\#(name)","url":"https://far.example/@kai"}]"#
    // The text is long enough to reveal quadratic time, and short enough for the rest of the test.
    let size = 32_768
    for piece in pieces {
      let made = try text(String(repeating: piece, count: size / piece.utf8.count), mentions)
      #expect(made.utf8.count < 16 * size, "\(piece)")
    }
  }

  @Test("any random HTML can be read, and the result contains no known tags")
  func random() throws {
    var generator = Generator(state: 20_261_121)
    let pieces = [
      "<p>", "</p>", "<br", ">", "/>", "<a href=\"https://x.example/\">", "</a>", "<", "</", "<b>", "</b>", "<ul>",
      "<li>", "</li>", "</ul>",
      "<ol start=9223372036854775807>", "</ol>", "<blockquote>", "</blockquote>", "<pre>", "</pre>", "<!--", "-->",
      "<script>",
      "</script>", "<style", "\"", "'", "=", " ", "\n", "x", "é", "\u{0}", "\u{202e}", "&#60;", "&", ";",
      "class=mention", "#", "@k",
      "<span class=\"quote-inline\">", "</span>", "<img src=", "href",
    ]
    let known = [
      "<p>", "</p>", "<br>", "<br/>", "<a href", "</a>", "<b>", "<ul>", "<li>", "<pre>", "<script", "<style", "<span",
    ]
    for _ in 0..<3_000 {
      let html = (0..<Int.random(in: 1...40, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
        .joined()
      let made = try text(html, #""spoiler_text":"w""#)
      // A decoded `&#60;` may precede any character.
      if !html.contains("&#60;"), let tag = known.first(where: made.contains) {
        Issue.record("\(tag) remains of \(html.debugDescription) in \(made.debugDescription)")
        return
      }
    }
  }

  /// SplitMix64, which generates the same text in each run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }
  }
}
