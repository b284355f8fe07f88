internal import Timeline

/// A one-line title for a post, for readers that list titles.
enum PostTitle {
  /// Returns the author and the beginning of the text, as in `Mira: Good morning…`.
  static func of(_ post: Post) -> String {
    let name = PersonName.short(of: post.author)
    let excerpt = excerpt(of: post)
    return excerpt.isEmpty ? name : "\(name): \(excerpt)"
  }

  /// Returns the beginning of the text. If a post has no text, describes its media or names the quoted author.
  static func excerpt(of post: Post) -> String {
    let texts = [post.text, post.media.first?.alternativeText ?? "", post.quoted?.text ?? ""]
    let excerpt = texts.lazy.map { ShortLine.of($0, characters: 80) }.first { !$0.isEmpty }
    return excerpt ?? post.media.first.map(MediaDescription.of) ?? ""
  }
}

/// The title of a feed.
enum FeedTitle {
  static func of(_ head: TimelineHead) -> String { "\(owner(of: head))'s home timeline" }

  /// Returns the user's name or, before the first login and for a view, the account's name.
  static func owner(of head: TimelineHead) -> String { head.user.map(PersonName.short) ?? head.account }
}

/// A user's name on one line.
enum PersonName {
  /// Returns the display name, or the screen name if there is none; never empty.
  static func short(of user: User) -> String {
    [user.name, user.screenName].lazy.map { ShortLine.of($0, characters: 60) }.first(where: isVisible) ?? "(unknown)"
  }

  /// Returns whether a name is visible. A name may consist only of joiners and byte order marks.
  private static func isVisible(_ name: String) -> Bool {
    // Most names begin with a visible ASCII character, for which no Unicode property needs to be looked up.
    name.utf8.contains { (0x21...0x7e).contains($0) }
      || name.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
  }

  /// Returns both names, as in `Mira (@mira_demo)`.
  static func full(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return short(of: user) + (handle.isEmpty ? "" : " (\(handle))")
  }

  /// Returns the shortest unambiguous name: `@mira_demo`, or the display name if there is no screen name.
  static func line(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return handle.isEmpty ? short(of: user) : handle
  }

  /// Returns `@mira_demo`, or an empty string if there is no screen name.
  static func handle(of screenName: String) -> String {
    let name = ShortLine.of(screenName, characters: 120)
    return isVisible(name) ? "@" + name : ""
  }
}

/// A post's language, for use in feeds.
enum LanguageTag {
  /// Returns the tag if its syntax is valid (RFC 5646 §2.1: subtags of 1 to 8 letters and digits, the first consisting only of letters).
  static func checked(_ tag: String?) -> String? {
    guard let tag else { return nil }
    let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }),
      subtags.first?.allSatisfy(isLetter) == true
    else { return nil }
    return tag
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Describes a medium in text where it cannot be shown.
enum MediaDescription {
  static func of(_ media: Media) -> String {
    switch media.kind {
    case .photo: "photo"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio"
    case .other: "attachment"
    }
  }

  /// Returns the kind of the medium with its author's description, as in `photo (a cat)`.
  static func full(of media: Media) -> String {
    let seen = SafeText.line(of: media.alternativeText ?? "")
    return of(media) + (seen.isEmpty ? "" : " (\(seen))")
  }
}
