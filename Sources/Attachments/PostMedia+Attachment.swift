internal import Platform
package import Posting

extension PostMedia {
  /// Creates the description of a file that was opened for publishing.
  package init(_ attachment: PostAttachment, description: String?, keepsMetadata: Bool) {
    self.init(
      path: attachment.file.path, fingerprint: attachment.file.status.fingerprint, size: attachment.size,
      type: attachment.mediaType, description: description, keepsMetadata: keepsMetadata)
  }
}

extension PostAttachment {
  /// Opens a post's file.
  /// - Throws: `.replaced` if it is not the file that the user chose, or has changed since then.
  package init(_ media: PostMedia) throws(AttachmentError) {
    try self.init(media.path, keepsMetadata: media.keepsMetadata)
    guard file.status.fingerprint == media.fingerprint, size == media.size else { throw .replaced(media.path) }
  }
}
