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
