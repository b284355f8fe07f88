internal import HTTP
internal import JSON

/// Writes lists and hashtags as Mastodon-compatible servers do.
struct MastodonListWriter {
  let writer: MastodonWriter

  /// The user's lists.
  var lists: [SandboxList] { SandboxList.visible(writer.quirks.timelines.lists) }

  /// Returns the list with an id; `nil` if there is none.
  func list(_ id: String) -> SandboxList? { lists.first { self.id($0) == id } }

  func json(_ lists: [SandboxList]) -> [UInt8] {
    var json = JSONWriter()
    json.array { json in for list in lists { write(list, to: &json) } }
    return json.bytes
  }

  func json(_ list: SandboxList) -> [UInt8] {
    var json = JSONWriter()
    write(list, to: &json)
    return json.bytes
  }

  func json(_ accounts: some Sequence<Author>) -> [UInt8] {
    var json = JSONWriter()
    json.array { json in for account in accounts { writer.write(account, to: &json) } }
    return json.bytes
  }

  /// Returns the hashtags that the user follows.
  func json(tags: [String]) -> [UInt8] {
    var json = JSONWriter()
    json.array { json in
      for tag in tags {
        json.object { json in
          json.member("id", String(SandboxHash.sha1(Array(tag.utf8)).prefix(6)))
          json.member("name", tag)
          json.member("url", "\(writer.base)/tags/\(tag)")
          json.member("history", list: [Int]()) { $0.integer($1) }
          json.member("following", true)
        }
      }
    }
    return json.bytes
  }

  /// The form of the ids of lists is that of the notifications' ids, except on snac, where it is ten hexadecimal digits.
  private func id(_ list: SandboxList) -> String {
    let number = writer.flavour == .goToSocial ? PostCalendar.id(at: PostCalendar.epoch, Int(list.number)) : list.id
    return writer.flavour == .snac
      ? String(MastodonIDWriter(form: .hexadecimal).text(number).prefix(10)) : writer.smallIDs.text(number)
  }

  private func write(_ list: SandboxList, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id(list))
      json.member("title", list.title)
      json.member("replies_policy", list.replies.rawValue)
      json.member("exclusive", list.isExclusive)
    }
  }
}
