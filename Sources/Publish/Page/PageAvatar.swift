internal import Timeline

/// A person's picture in a circle, or initials on a colour of their own where no picture is kept.
struct PageAvatar {
  let pictures: PagePictures

  /// Names stand beside it, so those who listen are not told twice.
  func html(of user: User, isSmall: Bool = false) -> String {
    let size = isSmall ? " small" : ""
    if let address = user.avatarURL, let path = pictures.path(of: address) {
      return "<img class=\"avatar\(size)\" src=\"\(path)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
    }
    let colour = Self.colour(of: user.id.isEmpty ? user.screenName : user.id)
    return "<span class=\"avatar\(size) tint\(colour)\" aria-hidden=\"true\">\(Self.initials(of: user))</span>"
  }

  /// At most two letters or digits. Marks that combine with them are left out: there may be thousands.
  static func initials(of user: User) -> String {
    let words = SafeText.line(of: user.name.isEmpty ? user.screenName : user.name).split(separator: " ")
    let letters = words.compactMap { word in
      word.unicodeScalars.first {
        $0.properties.isAlphabetic && !$0.properties.isDiacritic || $0.properties.numericType != nil
      }
    }
    let chosen = letters.count > 1 ? [letters[0], letters[letters.count - 1]] : letters
    return chosen.isEmpty ? "?" : MarkupEscape.text(chosen.map(\.properties.uppercaseMapping).joined())
  }

  static let colours = 8

  /// The same for the same person in every page: FNV-1a of 32 bits.
  private static func colour(of id: String) -> Int {
    Int(id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(colours))
  }
}
