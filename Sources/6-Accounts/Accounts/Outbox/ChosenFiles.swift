internal import Attachments
internal import Glibc
internal import Platform
internal import Posting

/// The files that a user wants to publish with a post. They are open, but have not been examined.
struct ChosenFiles {
  private let files: [(chosen: AttachedFile, file: AttachmentFile)]
  /// The files, with their sizes including metadata.
  ///
  /// Files too large for the server are refused by these sizes: examining them would take long, for nothing.
  let media: [PostMedia]

  /// Opens the files and determines their types.
  init(_ chosen: [AttachedFile]) throws(OperationError) {
    var files: [(AttachedFile, AttachmentFile)] = []
    var media: [PostMedia] = []
    for chosen in chosen {
      do throws(AttachmentError) {
        let file = try AttachmentFile(chosen.path)
        guard file.size > 0 else { throw .unknownType(chosen.path) }
        media.append(
          try PostMedia(unexamined: file, description: chosen.description, keepsMetadata: chosen.keepsMetadata))
        files.append((chosen, file))
      } catch .system(let error) where error.code == ENOENT {
        // The command has found the file, so it exists.
        throw OperationError(
          .badContent,
          "\(error). If the file exists, systemd hides it from the service, as it does with /tmp; copy it to another folder"
        )
      } catch { throw OperationError(.badContent, "\(error)") }
    }
    self.files = files
    self.media = media
  }

  /// Finds the files' metadata, and returns the content to send without it.
  func examined() throws(OperationError) -> [PostMedia] {
    var media: [PostMedia] = []
    for (chosen, file) in files {
      do throws(AttachmentError) {
        let attachment = try PostAttachment(file, keepsMetadata: chosen.keepsMetadata)
        media.append(PostMedia(attachment, description: chosen.description, keepsMetadata: chosen.keepsMetadata))
      } catch { throw OperationError(.badContent, "\(error)") }
    }
    return media
  }
}
