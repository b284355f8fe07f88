internal import JSON
internal import Time

/// Writes lists as the v1.1 API does.
enum TwitterListWriter {
  static func json(_ lists: [SandboxList]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in for list in lists { write(list, to: &writer) } }
    return writer.bytes
  }

  private static func write(_ list: SandboxList, to writer: inout JSONWriter) {
    // The name in addresses is unique.
    let slug = list.title.lowercased().filter { $0.isLetter || $0 == " " }.replacing(" ", with: "-") + "-\(list.number)"
    let path = "/\(Author.mira.screenName)/lists/\(slug)"
    writer.object { writer in
      writer.member("id", list.id)
      writer.member("id_str", String(list.id))
      writer.member("name", list.title)
      writer.member("slug", slug)
      writer.member("full_name", "@\(path.dropFirst())")
      writer.member("uri", path)
      writer.member("subscriber_count", 0)
      writer.member("member_count", list.members.count)
      writer.member("mode", "private")
      writer.member("description", "")
      writer.member("following", true)
      writer.member("created_at", PostCalendar.epoch.twitterDate)
      writer.name("user")
      writer.raw(UserWriter.json(.mira))
    }
  }
}
