internal import HTTP

/// The form that chooses which posts a list shows.
struct PostConditionsForm {
  private let conditions: PostConditions
  private let address: WebAddress

  /// - Parameter address: the address of the list without conditions.
  init(_ conditions: PostConditions, at address: WebAddress) {
    self.conditions = conditions
    self.address = address
  }

  var html: Markup {
    let isOpen: Markup = conditions.isEmpty ? "" : " open"
    return """
      <details class="conditions"\(isOpen)>
      <summary>Filter</summary>
      <form method="get" action="\(address.text)">
      \(Self.box("reposts", "0", "Without reposts", isOn: conditions.hidesReposts))\
      \(Self.box("replies", "0", "Without replies", isOn: conditions.hidesReplies))\
      \(Self.box("media", "1", "Only with pictures, videos or sound", isOn: conditions.onlyMedia))\
      \(Self.box("unread", "1", "Only unread posts", isOn: conditions.onlyUnread))\
      <p class="field"><label for="by">Only by</label> \
      <input id="by" name="by" type="text" value="\(conditions.author)" placeholder="name" autocapitalize="none" spellcheck="false"></p>
      <p class="buttons"><button type="submit">Show</button>\(reset)</p>
      </form>
      </details>

      """
  }

  private var reset: Markup { conditions.isEmpty ? "" : " <a href=\"\(address.text)\">Show all</a>" }

  private static func box(_ name: Markup, _ value: Markup, _ label: Markup, isOn: Bool) -> Markup {
    let state: Markup = isOn ? " checked" : ""
    return """
      <p class="box"><input type="checkbox" id="\(name)" name="\(name)" value="\(value)"\(state)> \
      <label for="\(name)">\(label)</label></p>

      """
  }
}
