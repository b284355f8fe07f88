internal import Timeline

/// A post in one short line, for readers that list titles.
enum PostTitle {
  /// `Mira: the first words of the text…`.
  static func of(_ post: Post) -> String {
    let name = PersonName.short(of: post.author)
    let words = words(of: post)
    return words.isEmpty ? name : "\(name): \(words)"
  }

  /// The first words of the text; of a post without text what it shows or quotes instead.
  static func words(of post: Post) -> String {
    let texts = [post.text, post.media.first?.alternativeText ?? "", post.quoted?.text ?? ""]
    let words = texts.lazy.map { ShortLine.of($0, characters: 80) }.first { !$0.isEmpty }
    return words ?? post.media.first.map(MediaDescription.of) ?? ""
  }
}

/// What a feed is called.
enum FeedTitle {
  static func of(_ head: TimelineHead) -> String { "\(owner(of: head))'s home timeline" }

  /// Whose timeline it is: the user's name, or the account's before the first login and for a view over several.
  static func owner(of head: TimelineHead) -> String { head.user.map(PersonName.short) ?? head.account }
}

/// What a person is called where others are named beside them, fit for one line.
enum PersonName {
  /// The name that they gave themselves, else the screen name; never empty.
  static func short(of user: User) -> String {
    [user.name, user.screenName].lazy.map { ShortLine.of($0, characters: 60) }.first(where: isVisible) ?? "(unknown)"
  }

  /// Whether there is anything to see: a name can be of nothing but joiners and byte order marks.
  private static func isVisible(_ name: String) -> Bool {
    name.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
  }

  /// Both: `Mira (@mira_demo)`.
  static func full(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return short(of: user) + (handle.isEmpty ? "" : " (\(handle))")
  }

  /// The shortest that tells who it is: `@mira_demo`, else the name.
  static func line(of user: User) -> String {
    let handle = handle(of: user.screenName)
    return handle.isEmpty ? short(of: user) : handle
  }

  /// `@mira_demo`, or nothing where there is none.
  static func handle(of screenName: String) -> String {
    let name = ShortLine.of(screenName, characters: 120)
    return isVisible(name) ? "@" + name : ""
  }
}

/// A post's language as feeds may say it.
enum LanguageTag {
  /// The tag, when it has the shape of one (RFC 5646 §2.1: subtags of 1 to 8 letters and digits, the first of letters alone).
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

/// What a medium is called where it is not shown itself.
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

  /// With what its author says is to be seen: `photo (a cat)`.
  static func full(of media: Media) -> String {
    let seen = SafeText.line(of: media.alternativeText ?? "")
    return of(media) + (seen.isEmpty ? "" : " (\(seen))")
  }
}
