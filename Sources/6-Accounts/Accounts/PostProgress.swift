/// News about a post that a user's command waits for.
package enum PostProgress: Sendable, Hashable {
  case uploading(UploadProgress)
  case waiting(PostWait)
}
