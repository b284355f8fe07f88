internal import Attachments
internal import Folders
internal import Glibc
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import StorageFiles
internal import StorageSQLite
internal import Time

/// The outbox posts in a backup: a record of each, and the files of those that may still be sent.
///
/// A file is stored as it would be sent, usually without its metadata. Files can be large, so they are copied in parts.
enum BackupOutbox {
  /// The size of a part in bytes.
  fileprivate static let partSize = 65_536

  /// A post's record, or one of its files.
  struct Entry: Hashable {
    let account: AccountName
    /// The name in the account's outbox.
    let name: String

    /// - Parameter path: relative to the backup's folder.
    /// - Returns: nil if the path belongs to neither a record nor a file.
    init?(path: String) {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
      guard parts.count == 5, parts[..<2] == ["data", "homeline"], parts[3] == "outbox",
        let account = AccountName(parts[2]),
        OutboxStore.id(ofFile: parts[4]) != nil || OutboxStore.attachment(ofFile: parts[4]) != nil
      else { return nil }
      self.init(account, parts[4])
    }

    init(_ account: AccountName, _ name: String) {
      self.account = account
      self.name = name
    }
  }
}

extension BackupOutbox {
  /// Copies posts into a backup.
  struct Writer {
    private(set) var posts = 0
    /// The items that are missing from the backup, each with the reason.
    private(set) var missing: [String] = []

    /// Copies an account's posts. A post removed in the meantime is left out.
    mutating func copy(_ source: AccountFiles, to copy: AccountFiles, at now: Timestamp) throws(BackupError) {
      guard File.exists(source.outboxFolder) else { return }
      try converting { () throws(SystemError) in
        for name in try Folder.names(in: source.outboxFolder) where OutboxStore.id(ofFile: name) != nil {
          let bytes: [UInt8]
          do throws(SystemError) {
            bytes = try TrustedFile.read("\(source.outboxFolder)/\(name)", limit: BackupManifest.byteLimit)
          } catch {
            if error.code == ENOENT { continue }
            throw error
          }
          try Folder.create(copy.outboxFolder)
          try AtomicFile.write(bytes, to: "\(copy.outboxFolder)/\(name)", .replaced)
          posts += 1
        }
      }
      let content: OutboxContent
      do throws(StorageError) { content = try OutboxStore(copy).load(at: now) } catch {
        throw BackupError(error)
      }
      for path in content.setAside {
        missing.append("a post in the outbox of \(source.account) cannot be read")
        posts -= 1
        try converting { () throws(SystemError) in try File.remove(path) }
      }
      for intent in content.intents where !intent.isPosted {
        for (index, media) in intent.draft.media.enumerated() {
          let name = OutboxStore.name(ofAttachment: index + 1, of: intent.id)
          if let problem = try Self.copy(media, to: "\(copy.outboxFolder)/\(name)") {
            missing.append("a file of the post \(intent.id): \(problem)")
          }
        }
      }
    }

    /// Copies a file as it would be sent.
    /// - Returns: the reason the file cannot be read; no copy is then left behind. Nil if the file was copied.
    private static func copy(_ media: PostMedia, to path: String) throws(BackupError) -> AttachmentError? {
      let attachment: PostAttachment
      do throws(AttachmentError) { attachment = try PostAttachment(media) } catch { return error }
      do throws(SystemError) {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        var offset = 0
        while offset < attachment.size {
          let part: [UInt8]
          do throws(AttachmentError) { part = try attachment.bytes(at: offset, count: partSize) } catch {
            try File.remove(path)
            return error
          }
          try file.write(part)
          offset += part.count
        }
        try file.close()
        return nil
      } catch { throw BackupError(error.about(path)) }
    }
  }

  /// Reads posts from an unpacked backup and adapts them to this installation: no post is sent unless the user asks for it.
  struct Reader {
    /// The number of posts that were waiting when the backup was made. Their outcome is now unknown.
    private(set) var held = 0
    /// The files missing from the backup.
    private(set) var missing: [String] = []
    /// The steps that move the records and files into this installation's outboxes.
    private(set) var steps: [RestoreJournal.Step] = []

    /// - Parameters:
    ///   - entries: the posts and files in the backup.
    ///   - copies: the layout of the unpacked backup.
    /// - Throws: an error with exit code 65 if an entry is corrupt or belongs to no post.
    init(_ entries: [Entry], in copies: FileLayout, to layout: FileLayout, at now: Timestamp) throws(BackupError) {
      var others = Set(entries)
      for account in Set(entries.map(\.account.text)).sorted() {
        guard let account = AccountName(account) else { continue }
        let (copy, target) = (copies.files(of: account.text), layout.files(of: account.text))
        let outbox = OutboxStore(copy)
        do throws(StorageError) {
          for intent in try outbox.load(at: now).intents {
            var media: [Int: PostMedia] = [:]
            for index in intent.draft.media.indices {
              let name = OutboxStore.name(ofAttachment: index + 1, of: intent.id)
              if others.remove(Entry(account, name)) != nil {
                media[index] = try Self.restored(
                  intent.draft.media[index], from: "\(copy.outboxFolder)/\(name)", to: "\(target.outboxFolder)/\(name)")
                steps.append(Self.step(name, copy, target))
              } else if !intent.isPosted {
                missing.append("\(intent.draft.media[index].path), a file of the post \(intent.id) of \(account)")
              }
            }
            if intent.isPending { held += 1 }
            let restored = intent.restored(at: now, media: media)
            if restored != intent { try outbox.write(restored) }
            let name = OutboxStore.name(ofFile: intent.id)
            others.remove(Entry(account, name))
            steps.append(Self.step(name, copy, target))
          }
        } catch { throw BackupError(error) }
      }
      if let other = others.first {
        throw BackupError(.badData, "\(other.name) in the outbox of \(other.account) cannot be read")
      }
    }

    private static func step(_ name: String, _ copy: AccountFiles, _ target: AccountFiles) -> RestoreJournal.Step {
      RestoreJournal.Step(.file("\(copy.outboxFolder)/\(name)"), to: "\(target.outboxFolder)/\(name)")
    }

    /// Returns the same file at its new path.
    private static func restored(
      _ media: PostMedia, from copy: String, to path: String
    ) throws(StorageError) -> PostMedia {
      let found: PostMedia
      do throws(AttachmentError) {
        found = PostMedia(
          beforeRename: try PostAttachment(copy, keepsMetadata: media.keepsMetadata), path: path,
          description: media.description, keepsMetadata: media.keepsMetadata)
      } catch { throw StorageError(.damaged, "\(error)") }
      guard found.size == media.size, found.type == media.type else {
        throw StorageError(.damaged, "\(copy) is not the file of the post")
      }
      return found
    }
  }
}
