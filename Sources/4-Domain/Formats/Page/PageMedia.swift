internal import Timeline

/// A post's pictures, and links to media that are not stored.
struct PageMedia {
  let pictures: PagePictures

  func html(of media: [Media]) -> String {
    let shown = media.compactMap(picture)
    let linked = media.compactMap { pictures.path(of: $0.url) == nil ? link($0) : nil }
    var html = ""
    if !shown.isEmpty {
      html += "<div class=\"pictures\(shown.count == 1 ? " one" : "")\">\(shown.joined())</div>\n"
    }
    if !linked.isEmpty { html += "<ul class=\"attachments\">\(linked.joined())</ul>\n" }
    return html
  }

  private func picture(_ media: Media) -> String? {
    guard let path = pictures.path(of: media.url) else { return nil }
    let description = PageText.line(media.alternativeText ?? "")
    let alternative = description.isEmpty ? "\(Self.word(for: media.kind)) without a description" : description
    let title = description.isEmpty ? "" : " title=\"\(description)\""
    let image = "<img src=\"\(path)\" alt=\"\(alternative)\"\(title) loading=\"lazy\" decoding=\"async\">"
    return PageLink.html(image, to: media.url, class: "picture")
  }

  private func link(_ media: Media) -> String {
    let place = PageLink.host(of: media.url).map { " at " + PageText.isolated($0) } ?? ""
    let label = PageIcons.use("picture") + "<span>\(Self.word(for: media.kind))\(place)</span>"
    let seen =
      media.alternativeText.map { "<span class=\"description\" dir=\"auto\">\(PageText.line($0))</span>" } ?? ""
    return "<li>\(PageLink.html(label, to: media.url, class: "attachment"))\(seen)</li>"
  }

  private static func word(for kind: Media.Kind) -> String {
    switch kind {
    case .photo: "Photo"
    case .video: "Video"
    case .animation: "Animation"
    case .audio: "Sound"
    case .other: "Attachment"
    }
  }
}
