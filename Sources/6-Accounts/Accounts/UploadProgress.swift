/// The progress of uploading the files of a post.
package struct UploadProgress: Sendable, Hashable {
  /// The id of the post in the outbox.
  package var post: String
  /// The number of the file that is being uploaded; the first is 1.
  package var file: Int
  /// The number of files.
  package var files: Int
  /// The number of bytes of all files that the server has received.
  package var done: Int
  /// The size of all files in bytes.
  package var total: Int

  package init(post: String, file: Int, files: Int, done: Int, total: Int) {
    self.post = post
    self.file = file
    self.files = files
    self.done = done
    self.total = total
  }
}
