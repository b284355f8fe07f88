internal import Platform
package import Posting

extension PostMedia {
  /// Creates the description of a file opened for publishing.
  package init(_ attachment: PostAttachment, description: String?, keepsMetadata: Bool) {
    self.init(
      path: attachment.file.path, fingerprint: attachment.file.status.strictFingerprint, size: attachment.size,
      type: attachment.mediaType, description: description, keepsMetadata: keepsMetadata)
  }

  /// Creates the description of a file that has not been examined. Its size includes its metadata.
  /// - Throws: `.unknownType` for a file whose type is unknown and that is not sent unchanged.
  package init(
    unexamined file: AttachmentFile, description: String?, keepsMetadata: Bool
  ) throws(AttachmentError) {
    let type = try file.mediaType()
    guard type != nil || keepsMetadata else { throw .unknownType(file.path) }
    self.init(
      path: file.path, fingerprint: file.status.strictFingerprint, size: file.size,
      type: PostAttachment.mediaType(of: type), description: description, keepsMetadata: keepsMetadata)
  }

  /// Creates the description of a file that will be renamed before it is sent. Its change time therefore does not matter.
  package init(beforeRename attachment: PostAttachment, path: String, description: String?, keepsMetadata: Bool) {
    self.init(
      path: path, fingerprint: attachment.file.status.fingerprint, size: attachment.size, type: attachment.mediaType,
      description: description, keepsMetadata: keepsMetadata)
  }
}

extension PostAttachment {
  /// Opens a post's file.
  /// - Throws: `.replaced` if it is not the file that the user chose, or has changed since then.
  package init(_ media: PostMedia) throws(AttachmentError) {
    let file = try AttachmentFile(media.path)
    // Posts from a backup or from earlier versions have a fingerprint without the change time.
    guard [file.status.strictFingerprint, file.status.fingerprint].contains(media.fingerprint) else {
      throw .replaced(media.path)
    }
    try self.init(file, keepsMetadata: media.keepsMetadata)
    guard size == media.size else { throw .replaced(media.path) }
  }
}
