package import JSON

/// Reports that a post was checked and can be published.
package struct CheckedPostEvent: ControlEvent {
  package static let name = "checked"
  package var account: String
  /// The user and the server that would publish the post.
  package var author: String
  /// The post's length, as the server measures it; nil if unknown.
  package var length: Int?
  /// The maximum length; nil if there is none or it is unknown.
  package var limit: Int?
  /// The unit of the lengths: `characters` or `bytes`.
  package var unit: String?

  package init(account: String, author: String, length: Int? = nil, limit: Int? = nil, unit: String? = nil) {
    self.account = account
    self.author = author
    self.length = length
    self.limit = limit
    self.unit = unit
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), author: try members.text("author"),
      length: members.numberOrNull("length"), limit: members.numberOrNull("limit"), unit: members.textOrNull("unit"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("author", author)
    json.member("length", length)
    json.member("limit", limit)
    json.member("unit", unit)
  }
}
