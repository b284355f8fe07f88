internal import CivilTime
internal import Timeline

/// A quoted post as a card within the one that quotes it.
struct PageQuote {
  let avatar: PageAvatar
  let media: PageMedia
  let time: PageTime

  func html(of quote: Post.Quote) -> String {
    """
    <blockquote class="quote">
    <header class="byline">\(avatar.html(of: quote.author, isSmall: true))\(PageName.html(of: quote.author))\
    \(PageLink.html(time.age(of: quote.createdAt), to: quote.url, class: "when"))</header>
    \(PageBody.html(of: quote.text, language: nil))\(media.html(of: quote.media))</blockquote>

    """
  }
}
