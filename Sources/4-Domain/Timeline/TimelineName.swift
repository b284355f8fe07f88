internal import OAuthValues

/// A timeline of an account: its kind and, if its kind has one, an argument, such as `list:Friends`.
package struct TimelineName: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case home
    /// What others have done that concerns the user: mentions, likes, reposts, follows and other events.
    case notifications
    /// The posts that mention the user.
    case mentions
    /// The posts of a list's members.
    case list
    /// The posts with a hashtag.
    case tag
    /// The posts of one user.
    case user
    case bookmarks
    /// The posts that the user likes.
    case likes

    /// The argument as the user writes it; `nil` if the kind has none.
    package var argument: String? {
      switch self {
      case .home, .notifications, .mentions, .bookmarks, .likes: nil
      case .list: "NAME"
      case .tag: "NAME"
      case .user: "@NAME"
      }
    }

    /// The form of the names of this kind, as the user writes them, such as `list:NAME`.
    package var form: String { argument.map { "\(rawValue):\($0)" } ?? rawValue }
  }

  package let kind: Kind
  /// The list's title or id, the hashtag without `#`, or the user's name with `@`; `nil` for a kind without an argument.
  package let argument: String?

  package static let home = TimelineName(checked: .home, nil)
  package static let bookmarks = TimelineName(checked: .bookmarks, nil)
  package static let likes = TimelineName(checked: .likes, nil)

  private init(checked kind: Kind, _ argument: String?) {
    self.kind = kind
    self.argument = argument
  }

  /// The maximum length of a name in bytes of UTF-8.
  private static let longest = 512

  /// Reads a name as it is written in the configuration and in commands.
  package init(_ text: String) throws(TimelineNameError) {
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.longest else { throw .tooLong(limit: Self.longest) }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { throw .controlCharacter }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]) else { throw .unknownKind(parts[0]) }
    switch (kind.argument, parts.count > 1 ? parts[1] : nil) {
    case (nil, nil): self.init(checked: kind, nil)
    case (nil, _?): throw .needlessArgument(kind)
    case (_?, nil), (_?, ""): throw .missingArgument(kind)
    case (_?, let argument?):
      switch kind {
      case .tag where argument.hasPrefix("#"): throw .hashSign
      case .user where !argument.hasPrefix("@") || argument == "@": throw .missingAtSign
      default: self.init(checked: kind, argument)
      }
    }
  }

  /// Returns the name of a timeline with an argument, under the same conditions as for a written name.
  package init(_ kind: Kind, _ argument: String) throws(TimelineNameError) {
    try self.init("\(kind.rawValue):\(argument)")
  }

  /// The name as the user writes it.
  package var description: String { argument.map { "\(kind.rawValue):\($0)" } ?? kind.rawValue }

  /// Returns whether both names mean the same timeline of an account. Hashtags and users' names have no case.
  package func isSame(as other: TimelineName) -> Bool {
    switch kind {
    case .tag, .user: kind == other.kind && argument?.lowercased() == other.argument?.lowercased()
    case .home, .notifications, .mentions, .list, .bookmarks, .likes: self == other
    }
  }

  /// Whether only the user may see which posts the timeline contains. Such a timeline appears in feeds, views and exports only where it is
  /// named.
  package var isPrivate: Bool {
    switch kind {
    case .notifications, .bookmarks, .likes: true
    case .home, .mentions, .list, .tag, .user: false
    }
  }

  /// The context that makes the user's filters on the server apply to the timeline; `nil` if no filter applies.
  package var filterContext: FilterScope.Context? {
    switch kind {
    case .home, .list: .home
    case .notifications, .mentions: .notifications
    case .tag: .public
    case .user: .account
    case .bookmarks, .likes: nil
    }
  }
}

/// The names of a timeline's files.
extension TimelineName {
  /// The maximum length of an encoded argument in bytes, and the length of the beginning of a longer one. With a kind, a hash, a suffix and
  /// the random part of a temporary file's name, it must fit into the 255 bytes of a file name.
  private static let (longestArgument, longestBeginning) = (120, 100)
  package static let homeStem = "home_timeline"
  /// The number of hexadecimal digits that end a shortened stem.
  private static let hashDigits = 16

  /// The stem of the names of the timeline's published files, such as `list-Friends`; `nil` if it must be shortened.
  package var shortStem: String? {
    guard let encoded = encodedArgument else { return kind == .home ? Self.homeStem : kind.rawValue }
    return encoded.utf8.count <= Self.longestArgument ? "\(kind.rawValue)-\(encoded)" : nil
  }

  /// Returns the stem of the names of the timeline's published files. A long stem ends with a hash, so that the stems of two timelines are
  /// never the same.
  /// - Parameter hash: returns the SHA-256 of bytes.
  package func stem<Failure: Error>(hash: ([UInt8]) throws(Failure) -> [UInt8]) throws(Failure) -> String {
    if let shortStem { return shortStem }
    var beginning = (encodedArgument ?? "").prefix(Self.longestBeginning)
    // The end must not be half an escape.
    if let escape = beginning.suffix(2).firstIndex(of: "%") { beginning = beginning[..<escape] }
    let digits = try hash(Array((argument ?? "").utf8)).flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }
    return "\(kind.rawValue)-\(beginning)~\(digits.prefix(Self.hashDigits).joined())"
  }

  /// The argument with every byte but `A-Z a-z 0-9 _ - .` percent-encoded. A leading dot, which would hide the file, is encoded too, and so
  /// is `~`, which marks a shortened stem.
  private var encodedArgument: String? {
    argument.map { argument in
      let encoded = PercentEncoding.encode(argument).split(separator: "~", omittingEmptySubsequences: false)
        .joined(separator: "%7E")
      return encoded.hasPrefix(".") ? "%2E" + encoded.dropFirst() : encoded
    }
  }
}

/// The reason a text is not the name of a timeline.
package enum TimelineNameError: Error, Hashable, CustomStringConvertible {
  case empty
  /// The limit is in bytes.
  case tooLong(limit: Int)
  case controlCharacter
  case unknownKind(String)
  case missingArgument(TimelineName.Kind)
  case needlessArgument(TimelineName.Kind)
  /// A hashtag begins with `#`.
  case hashSign
  /// A user's name does not begin with `@`.
  case missingAtSign

  package var description: String {
    switch self {
    case .empty: "the name of a timeline is empty; write for example home"
    case .tooLong(let limit): "the name of the timeline is longer than \(limit) bytes"
    case .controlCharacter: "the name of the timeline contains a control character"
    case .unknownKind: "unknown kind of timeline; use \(Self.forms)"
    case .missingArgument(let kind): "write \(kind.form)"
    case .needlessArgument(let kind): "\(kind.rawValue) has no argument; write \(kind.rawValue)"
    case .hashSign: "write the hashtag without #"
    case .missingAtSign: "the user's name begins with @; write user:@NAME"
    }
  }

  /// All kinds, as the user writes them.
  private static var forms: String {
    let forms = TimelineName.Kind.allCases.map(\.form)
    return forms.dropLast().joined(separator: ", ") + " or \(forms.last ?? "")"
  }
}
