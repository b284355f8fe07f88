package import HTTP
package import Timeline

/// A post's pictures, and links to media that are not stored.
package struct PageMedia: Sendable {
  let pictures: PagePictures
  /// Returns the HTML of a description on one line; see ``PagePostOptions/line``.
  private let line: @Sendable (String) -> Markup

  package init(pictures: PagePictures, line: @escaping @Sendable (String) -> Markup = { PageText.line($0) }) {
    self.pictures = pictures
    self.line = line
  }

  package func html(of media: [Media]) -> Markup {
    let shown = media.compactMap(picture)
    let linked = media.compactMap { pictures.path(of: $0.url) == nil ? link($0) : nil }
    var html = Markup()
    if !shown.isEmpty {
      html += "<div class=\"pictures\(shown.count == 1 ? " one" : "")\">\(shown.joined())</div>\n"
    }
    if !linked.isEmpty { html += "<ul class=\"attachments\">\(linked.joined())</ul>\n" }
    return html
  }

  private func picture(_ media: Media) -> Markup? {
    guard let path = pictures.path(of: media.url) else { return nil }
    let description = PageText.line(media.alternativeText ?? "")
    let alternative = description.isEmpty ? "\(Self.word(for: media.kind)) without a description" : description
    let title: Markup = description.isEmpty ? "" : " title=\"\(description)\""
    let image: Markup = "<img src=\"\(path)\" alt=\"\(alternative)\"\(title) loading=\"lazy\" decoding=\"async\">"
    return PageLink.html(image, to: media.url, class: "picture")
  }

  private func link(_ media: Media) -> Markup {
    let place: Markup = PageLink.host(of: media.url).map { " at \(PageText.isolated($0))" } ?? ""
    let label: Markup = "\(PageIcons.use("picture"))<span>\(Self.word(for: media.kind))\(place)</span>"
    let seen: Markup =
      media.alternativeText.map { "<span class=\"description\" dir=\"auto\">\(line($0))</span>" } ?? ""
    return "<li>\(PageLink.html(label, to: media.url, class: "attachment"))\(seen)</li>"
  }

  private static func word(for kind: Media.Kind) -> Markup {
    switch kind {
    case .photo: "Photo"
    case .video: "Video"
    case .animation: "Animation"
    case .audio: "Sound"
    case .other: "Attachment"
    }
  }
}
