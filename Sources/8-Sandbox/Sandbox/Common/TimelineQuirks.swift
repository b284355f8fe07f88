internal import HTTP
internal import Settings

/// Unusual behaviour of timelines, in every API that has lists.
struct TimelineQuirks: Sendable {
  /// The user's lists.
  enum Lists: Sendable {
    case own
    /// All have been deleted.
    case deleted
    case renamed
  }

  /// The field that applies the quirk of a fault to a request.
  static let field: FieldName = "X-Sandbox-Quirk"

  var lists = Lists.own
  /// Whether pages contain everything, regardless of their limit.
  var ignoresLimit = false
  /// Whether every other entry of a page is missing, because the server removes entries after it has counted them.
  var shortensPages = false
  /// Whether a page consists of its first entry, repeated.
  var repeatsEntry = false

  /// Returns the fault that is applied to a request.
  static func fault(of request: Request) -> FaultName? {
    request.headers.first(Self.field).flatMap { FaultName(rawValue: $0) }
  }

  /// Returns the quirks with that of a fault, if it is one of them.
  func with(_ fault: FaultName?) -> TimelineQuirks {
    var quirks = self
    switch fault {
    case .listsDeleted: quirks.lists = .deleted
    case .listsRenamed: quirks.lists = .renamed
    case .limitIgnored: quirks.ignoresLimit = true
    case .shortPages: quirks.shortensPages = true
    case .entryRepeated: quirks.repeatsEntry = true
    default: break
    }
    return quirks
  }

  /// Returns the entries that the server sends of a page.
  func sent<Entry>(_ page: [Entry]) -> [Entry] {
    let page = shortensPages ? page.everyOther : page
    guard repeatsEntry, let first = page.first else { return page }
    return page.map { _ in first }
  }
}

extension Array {
  /// Every other element, beginning with the first one.
  var everyOther: [Element] { enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
}
