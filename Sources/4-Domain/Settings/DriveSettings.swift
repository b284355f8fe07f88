/// The settings of an account that is a cloud drive.
package struct DriveSettings: Sendable, Hashable {
  /// The kind of key that `client_id` and `client_secret` form.
  package enum Key: String, Sendable, Hashable, CaseIterable {
    /// A library's key.
    case library
    /// An enterprise's key, which has many libraries.
    case enterprise
    /// A client's key, which a user logs in through.
    case user
  }

  package var key: Key
  /// The library number. It is required with an enterprise's key, and refused with a library's key.
  package var libraryID: Int64?
  /// Hosts other than the server itself that may receive uploads: `host`, or `*.domain`.
  package var hosts: [String]

  /// The mount that files are uploaded to through the 2013 API; nil for the current API.
  package var legacyMount: String?

  init(key: Key = .library, libraryID: Int64? = nil, hosts: [String] = [], legacyMount: String? = nil) {
    self.key = key
    self.libraryID = libraryID
    self.hosts = hosts
    self.legacyMount = legacyMount
  }

  /// Whether a user logs in. Other keys need no token.
  package var needsLogin: Bool { key == .user }

  /// Whether the service handles the account, that is, renews a user's token and reads a library's changes.
  package var isServed: Bool { key != .enterprise }

  /// The reason a library's changes cannot be read, so that the account has no timeline; nil if they can be read.
  package var feedObjection: String? {
    switch key {
    case .library: nil
    case .enterprise:
      "the key of an enterprise cannot read the changes of a library; use the key of the library, or log in as a user"
    case .user:
      libraryID == nil ? "a user's changes are read from one library: set drive.library_id to its number" : nil
    }
  }

  /// The domain of the public service's upload servers.
  static let publicHosts = ["*.gokuai.com"]
}

extension DriveSettings {
  static let keys = ["key", "library_id", "hosts", "dialect", "mount"]

  /// Reads an account's `drive`. Nil for an account that is not a drive, and for invalid settings, which are reported.
  init?(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) {
    guard let provider, let defaults else { return nil }
    guard defaults.isDrive else {
      if values.has("drive") {
        values.note("the provider \(provider) is not a cloud drive: remove this setting", atKey: "drive", &problems)
      }
      return nil
    }
    // A different server has its own upload servers.
    self.init(hosts: values.has("server") ? [] : Self.publicHosts)
    guard let member = values["drive"] else { return }
    guard
      let drive = KeyedValues(
        member.value, path: values.path(of: "drive"), offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    if let name = drive.choice("key", of: Key.allCases.map(\.rawValue), &problems), let key = Key(rawValue: name) {
      self.key = key
    }
    libraryID = drive.integer("library_id", in: 1...Int64.max, &problems)
    if key == .enterprise, !drive.has("library_id") {
      drive.note("missing: the key of an enterprise needs the number of a library", at: "library_id", &problems)
    }
    if key == .library, drive.has("library_id") {
      drive.note("the key of a library belongs to that library: remove this setting", atKey: "library_id", &problems)
    }
    readDialect(drive, &problems)
    let hosts = TextList(
      "hosts", in: drive, expecting: "a list of hosts, such as [\"*.gokuai.com\"]", atMost: 100, &problems)
    hosts?.check(&problems) { Self.host($0) == nil ? Self.fault(of: $0) : nil }
    if let hosts { self.hosts = hosts.elements.compactMap { Self.host($0.text) } }
  }

  /// Reads `dialect` and `mount`, which select the 2013 API for uploads.
  private mutating func readDialect(_ drive: KeyedValues, _ problems: inout Problems) {
    let dialect = drive.choice("dialect", of: ["today", "2013"], &problems)
    let mount = drive.choice("mount", of: ["gokuai", "team"], &problems)
    guard dialect == "2013" else {
      if drive.has("mount") {
        drive.note("belongs to the dialect 2013: remove this setting, or set dialect", atKey: "mount", &problems)
      }
      return
    }
    if key != .user { drive.note("the dialect 2013 requires a user's key", at: "dialect", &problems) }
    legacyMount = mount ?? "gokuai"
  }

  /// Returns a host, or `*.` and a domain, in the form used in URLs; nil for anything else.
  private static func host(_ text: String) -> String? {
    let start = text.hasPrefix("*.") ? "*." : ""
    return WrittenURL.host(String(text.dropFirst(start.count))).map { start + $0 }
  }

  private static func fault(of text: String) -> String {
    "\(DisplayText.quoted(text)) is not a host: expected a name without scheme, port and path, such as \"upload.example.com\", or "
      + "\"*.example.com\" for all hosts of a domain"
  }
}

extension ProviderDefaults {
  /// Returns the properties for an account with this drive.
  func adjusted(to drive: DriveSettings?) -> ProviderDefaults {
    guard let objection = drive?.feedObjection else { return self }
    var defaults = self
    defaults.timelines = []
    defaults.timelineObjection = objection
    return defaults
  }
}
