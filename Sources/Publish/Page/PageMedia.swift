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

/// A user's avatar in a circle, or coloured initials if no avatar is stored.
struct PageAvatar {
  let pictures: PagePictures

  /// Returns an image without alternative text, because the user's name follows it.
  func html(of user: User, isSmall: Bool = false) -> String {
    let size = isSmall ? " small" : ""
    if let address = user.avatarURL, let path = pictures.path(of: address) {
      return "<img class=\"avatar\(size)\" src=\"\(path)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
    }
    let colour = Self.colour(of: user.id.isEmpty ? user.screenName : user.id)
    return "<span class=\"avatar\(size) tint\(colour)\" aria-hidden=\"true\">\(Self.initials(of: user))</span>"
  }

  /// Returns at most two letters or digits. Combining marks are removed, because a name may contain thousands of them.
  static func initials(of user: User) -> String {
    let parts = SafeText.line(of: user.name.isEmpty ? user.screenName : user.name).split(separator: " ")
    let letters = parts.compactMap { word in
      word.unicodeScalars.first {
        $0.properties.isAlphabetic && !$0.properties.isDiacritic || $0.properties.numericType != nil
      }
    }
    let chosen = letters.count > 1 ? [letters[0], letters[letters.count - 1]] : letters
    return chosen.isEmpty ? "?" : MarkupEscape.text(chosen.map(\.properties.uppercaseMapping).joined())
  }

  static let colours = 8

  /// Returns a colour that depends only on the user's id (32-bit FNV-1a).
  private static func colour(of id: String) -> Int {
    Int(id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(colours))
  }
}

/// The stored pictures, as addresses relative to the page.
struct PagePictures {
  let paths: [String: String]

  /// Returns a stored picture's relative reference (RFC 3986 §4.2), for use in an attribute; `nil` if the picture is not stored.
  ///
  /// The reference begins with `./`, and all characters except letters, digits and `-._~/` are encoded, so it can only be a path.
  func path(of address: String) -> String? {
    guard let path = paths[address], !path.isEmpty else { return nil }
    return "./"
      + ByteReplacement.encoded(path, prefix: UInt8(ascii: "%"), uppercase: false) { byte in
        switch byte {
        case UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: UTF8Text.isLetterOrDigit(byte)
        }
      }
  }
}
