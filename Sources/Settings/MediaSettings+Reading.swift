extension MediaSettings {
  package static let keys = ["megabytes"]

  init?(_ member: ConfigurationTree.Member, _ problems: inout Problems) {
    guard
      let values = KeyedValues(member.value, path: member.name, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    let megabytes = values.integer("megabytes", in: ProgramDefaults.mediaMegabytesRange, &problems)
    self.init(megabytes: megabytes.map { Int($0) } ?? ProgramDefaults.mediaMegabytes)
  }
}
