package import Settings
package import Timeline

/// The addresses of all pages.
extension WebAddress {
  package static let home = WebAddress()
  package static let outbox = WebAddress("outbox")

  /// A timeline of an account: `/a/NAME` for its home timeline, otherwise `/a/NAME/TIMELINE`.
  package static func timeline(_ key: TimelineKey) -> WebAddress {
    key.timeline == .home
      ? WebAddress("a", key.account.text) : WebAddress("a", key.account.text, key.timeline.description)
  }

  package static func view(_ name: AccountName) -> WebAddress { WebAddress("v", name.text) }

  /// A post in its thread; nil if the id, which comes from a server, cannot be part of a path.
  package static func post(_ id: PostID, of account: AccountName) -> WebAddress? {
    let component = Array(PathText.component(id.text).utf8)
    return PathText.text(ofComponent: component) == id.text ? WebAddress("a", account.text, "p", id.text) : nil
  }

  /// Whether it is a page of one account, whose posts do not name the account.
  var isOfOneAccount: Bool { firstComponent == "a" }
}
