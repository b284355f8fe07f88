package import HTTP
package import Timeline

/// A user's avatar in a circle, or coloured initials if no avatar is stored.
package struct PageAvatar: Sendable {
  let pictures: PagePictures

  package init(pictures: PagePictures) { self.pictures = pictures }

  /// Returns an image. It has no alternative text, because the user's name follows it.
  package func html(of user: User, isSmall: Bool = false) -> Markup {
    let size: Markup = isSmall ? " small" : ""
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
    return chosen.isEmpty ? "?" : chosen.map(\.properties.uppercaseMapping).joined()
  }

  static let colours = 8

  /// Returns a colour that depends only on the user's id (32-bit FNV-1a).
  private static func colour(of id: String) -> Int {
    Int(id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(colours))
  }
}
