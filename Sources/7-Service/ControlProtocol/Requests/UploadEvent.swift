package import JSON

/// Reports the upload progress of a post's files. Sent repeatedly.
package struct UploadEvent: ControlEvent {
  package static let name = "upload"
  package static let isResult = false
  var account: String
  /// The id of the post in the outbox.
  var id: String
  /// The number of the file that is being uploaded, counted from 1.
  package var file: Int
  package var files: Int
  /// The number of bytes, of all files together, that the server has received.
  package var done: Int
  /// The total size of all files, in bytes.
  package var total: Int

  package init(account: String, id: String, file: Int, files: Int, done: Int, total: Int) {
    self.account = account
    self.id = id
    self.file = file
    self.files = files
    self.done = done
    self.total = total
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), id: try members.text("id"), file: try members.number("file"),
      files: try members.number("files"), done: try members.number("done"), total: try members.number("total"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("id", id)
    json.member("file", file)
    json.member("files", files)
    json.member("done", done)
    json.member("total", total)
  }
}
