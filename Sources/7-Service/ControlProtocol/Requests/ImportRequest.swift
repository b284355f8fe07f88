internal import HTTP
package import JSON

/// Imports posts from a file that has been copied into the account's data folder.
package struct ImportRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/import")
  package static var response: ControlResponseForm { .events([ProgressEvent.self, ImportedEvent.self]) }

  /// The account; nil means the only enabled account.
  package var account: String?
  /// The name of the file in the account's data folder.
  package var file: String

  package init(account: String?, file: String) {
    self.account = account
    self.file = file
  }

  private static let members: [RequestMember<Self>] = [
    RequestMember("account", \.account), RequestMember("file", \.file),
  ]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init(account: nil, file: "")
    try received.read(Self.members, into: &self)
    guard !file.isEmpty, !file.contains("/"), !file.hasPrefix(".") else {
      throw ControlError(.badRequest, "file must be the name of a file in the account's data folder")
    }
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}
