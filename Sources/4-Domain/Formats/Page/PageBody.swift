internal import HTTP
internal import Timeline

/// A post's text and the elements that belong to it. They cannot overflow their box.
struct PageBody {
  /// Returns the HTML of a line or more of text; see ``PagePostOptions/text``.
  let text: (String) -> Markup

  /// Returns a post's text and the elements below it as HTML. Below a content warning, the rest stays hidden until the reader opens it.
  /// - Parameters:
  ///   - language: a BCP 47 tag. An invalid tag or `nil` marks the language as unknown (HTML Standard §3.2.6.2), because the page itself is
  ///     in English.
  ///   - below: the media and the quoted post.
  func html(of text: String, language: String?, below: Markup) -> Markup {
    guard let warned = WarnedText(text), !warned.rest.isEmpty || !below.isEmpty else {
      return html(of: text, language: language) + below
    }
    return Self.covered(html(of: warned.rest, language: language) + below, by: warned.warning, language: language)
  }

  /// Returns elements that show only a content warning until the reader opens them.
  static func covered(_ html: Markup, by warning: String, language: String?) -> Markup {
    """
    <details class="warned">
    <summary>Content warning: <bdi lang="\(tag(language))">\(PageText.line(warning))</bdi></summary>
    <div class="covered">
    \(html)</div>
    </details>

    """
  }

  private func html(of text: String, language: String?) -> Markup {
    guard text.contains(where: { !$0.isWhitespace }) else { return "" }
    return "<div class=\"text\" dir=\"auto\" lang=\"\(Self.tag(language))\">\(self.text(text))</div>\n"
  }

  private static func tag(_ language: String?) -> String {
    guard let language, language.utf8.count <= 35 else { return "" }
    let isTag = language.utf8.allSatisfy { byte in
      switch byte {
      case 0x2d, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: false
      }
    }
    return isTag ? language : ""
  }
}

/// A quoted post, shown as a card within the quoting post.
struct PageQuote {
  let avatar: PageAvatar
  let media: PageMedia
  let time: PageTime
  let body: PageBody
  /// Returns the HTML of a name; see ``PagePostOptions/line``.
  let line: (String) -> Markup

  func html(of quote: Post.Quote) -> Markup {
    """
    <blockquote class="quote">
    <header class="byline">\(avatar.html(of: quote.author, isSmall: true))\(PageName.html(of: quote.author, line))\
    \(PageLink.html(time.age(of: quote.createdAt), to: quote.url, class: "when"))</header>
    \(body.html(of: quote.text, language: nil, below: media.html(of: quote.media)))</blockquote>

    """
  }
}
