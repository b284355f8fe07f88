/// Settings for storing the pictures on published pages.
package struct MediaSettings: Sendable, Hashable {
  /// The size limit for all pictures together, in millions of bytes; 0 to store none.
  package var megabytes: Int

  /// The hosts that pictures may be fetched from even if they are on this machine or in a private network, in lower case as in a URL.
  package var privateHosts: [String]

  /// ``megabytes`` in bytes.
  package var byteLimit: Int { megabytes * 1_000_000 }

  package init(megabytes: Int = ProgramDefaults.mediaMegabytes, privateHosts: [String] = []) {
    self.megabytes = megabytes
    self.privateHosts = privateHosts
  }
}

extension MediaSettings {
  static let keys = ["megabytes", "private_hosts"]

  init?(_ member: ConfigurationTree.Member, _ problems: inout Problems) {
    guard
      let values = KeyedValues(member.value, path: member.name, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    let megabytes = values.integer("megabytes", in: ProgramDefaults.mediaMegabytesRange, &problems)
    let hosts = TextList(
      "private_hosts", in: values, expecting: "a list of hosts, such as [\"pictures.home.example\"]", atMost: 100,
      &problems)
    hosts?.check(&problems) { WrittenURL.host($0) == nil ? Self.fault(of: $0) : nil }
    self.init(
      megabytes: megabytes.map { Int($0) } ?? ProgramDefaults.mediaMegabytes,
      privateHosts: hosts?.elements.compactMap { WrittenURL.host($0.text) } ?? [])
  }

  private static func fault(of text: String) -> String {
    "\(DisplayText.quoted(text)) is not a host: expected a name or an IP address without a scheme, port or path, such as "
      + "\"pictures.home.example\", \"192.168.1.5\" or \"[fd00::5]\""
  }
}
