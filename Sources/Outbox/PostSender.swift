package import Accounts
package import PostText
package import Posting

/// An account's outbox: it stores posts before they are sent, sends them in order, and finds out whether they were published. Belongs to
/// the account's queue.
package protocol PostSender: AccountPart {
  /// All posts in the outbox, in the order in which they were written.
  func intents() throws(OperationError) -> [PostIntent]

  /// Checks a post without sending it. This may request the server's rules.
  /// - Parameters:
  ///   - files: the files to attach; they are opened and examined.
  ///   - completion: called once, on the queue.
  func check(
    _ draft: PostDraft, attaching files: [AttachedFile],
    completion: @escaping (Result<CheckedPost, OperationError>) -> Void)

  /// Stores a post and sends it as soon as possible. If the server's rules are available now, a post that violates them is not stored.
  /// - Parameters:
  ///   - files: the files to attach; they are opened and examined.
  ///   - progress: called repeatedly, on the queue, while the files are uploaded.
  ///   - completion: called once, on the queue. It receives the post once the outcome is known or the post has to wait, or the reason the
  ///     post was not stored.
  func add(
    _ draft: PostDraft, attaching files: [AttachedFile], progress: @escaping (UploadProgress) -> Void,
    completion: @escaping (Result<PostIntent, OperationError>) -> Void)

  /// Sends a post again if it was rejected, its outcome is unknown, or it is still waiting.
  /// - Parameters:
  ///   - isConfirmed: whether the user has agreed to the cost. Otherwise, a post that costs more than `confirm_above_usd` is not sent.
  ///   - progress: called as with `add`.
  ///   - completion: called as with `add`.
  func retry(
    _ id: IntentID, isConfirmed: Bool, progress: @escaping (UploadProgress) -> Void,
    completion: @escaping (Result<PostIntent, OperationError>) -> Void)

  /// Removes a post from the outbox. The post will not be sent.
  func discard(_ id: IntentID) throws(OperationError) -> PostIntent

  /// Performs an action on a published post.
  /// - Parameter completion: called once, on the queue.
  func perform(
    _ action: PostAction, on id: String, completion: @escaping (Result<Void, OperationError>) -> Void)

  /// Continues with the posts that an earlier process left.
  func resume()
}

/// A file that a user wants to publish with a post.
package struct AttachedFile: Sendable, Hashable {
  /// The absolute path.
  package let path: String
  package let description: String?
  package let keepsMetadata: Bool

  package init(path: String, description: String? = nil, keepsMetadata: Bool = false) {
    self.path = path
    self.description = description
    self.keepsMetadata = keepsMetadata
  }
}

/// A post that complies with the server's rules.
package struct CheckedPost: Sendable, Hashable {
  /// The user and the server that would publish the post.
  package let author: String
  /// The length of the post's text; `nil` if it is not known how the server measures posts.
  package let length: TextLength?

  package init(author: String, length: TextLength?) {
    self.author = author
    self.length = length
  }
}

/// The progress of uploading the files of a post.
package struct UploadProgress: Sendable, Hashable {
  /// The id of the post in the outbox.
  package var post: String
  /// The number of the file that is being uploaded; the first is 1.
  package var file: Int
  /// The number of files.
  package var files: Int
  /// The number of bytes that the server has received, of all files together.
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
