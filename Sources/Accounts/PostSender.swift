package import PostText
package import Posting

/// The outbox of an account: it stores posts before they are sent, sends them in order, and finds out what became of them. Belongs to the
/// account's queue.
package protocol PostSender: AnyObject {
  /// All posts in the outbox, in the order in which they were written.
  func intents() throws(OperationError) -> [PostIntent]

  /// Checks a post without sending it. It may ask the server for its rules.
  /// - Parameters:
  ///   - files: are opened and examined.
  ///   - completion: called once, on the queue.
  func check(
    _ draft: PostDraft, attaching files: [AttachedFile],
    completion: @escaping (Result<CheckedPost, OperationError>) -> Void)

  /// Stores a post and sends it as soon as possible. A post that violates the server's rules is not stored, unless the server cannot be
  /// asked for them now.
  /// - Parameters:
  ///   - files: are opened and examined.
  ///   - progress: called repeatedly, on the queue, while the files are uploaded.
  ///   - completion: called once, on the queue: with its state when the outcome is known or when the post has to wait, or with the reason
  ///     why it was not stored.
  func add(
    _ draft: PostDraft, attaching files: [AttachedFile], progress: @escaping (UploadProgress) -> Void,
    completion: @escaping (Result<PostIntent, OperationError>) -> Void)

  /// Sends a post again if it was refused, its outcome is unknown, or it is still waiting.
  /// - Parameters:
  ///   - progress: called as with `add`.
  ///   - completion: called as with `add`.
  func retry(
    _ id: IntentID, progress: @escaping (UploadProgress) -> Void,
    completion: @escaping (Result<PostIntent, OperationError>) -> Void)

  /// Removes a post from the outbox. It will not be sent.
  func discard(_ id: IntentID) throws(OperationError) -> PostIntent

  /// Performs an action on a published post.
  /// - Parameter completion: called once, on the queue.
  func perform(
    _ action: PostAction, on id: String, completion: @escaping (Result<Void, OperationError>) -> Void)

  /// Continues with the posts of an earlier process.
  func resume()

  /// Stops sending posts.
  func close()
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

/// A post that the server's rules allow.
package struct CheckedPost: Sendable, Hashable {
  /// The user and the server that would publish it.
  package let author: String
  /// `nil` if it is not known how the server measures posts.
  package let length: TextLength?

  package init(author: String, length: TextLength?) {
    self.author = author
    self.length = length
  }
}
