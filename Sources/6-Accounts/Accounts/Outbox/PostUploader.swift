internal import Attachments
internal import HTTP
internal import HTTPClient
internal import Platform
internal import Posting
internal import Providers
internal import Time

/// Reads the files of an account's posts while they are uploaded, and reports the progress.
// Sendable because all mutable state is accessed on the account's queue only.
final class PostUploader: @unchecked Sendable {
  private unowned let account: Account
  private let report: (UploadProgress?) -> Void
  private var generator = SystemRandomNumberGenerator()
  /// The file that was read last. It stays open until another file is needed, or until its post no longer needs it.
  private var open: (media: PostMedia, file: PostAttachment)?
  private var ticker: Alarm?
  /// The number of bytes that the running request has sent.
  private let sent = Locked(0)
  /// The upload in progress, and the number of bytes of its file that the running request sends.
  private var running: (progress: UploadProgress, count: Int)?

  /// The time between two progress reports.
  private static let interval = Duration.milliseconds(200)

  /// - Parameter report: called on the queue with the progress while a request is being sent, and with `nil` afterwards.
  init(of account: Account, report: @escaping (UploadProgress?) -> Void) {
    self.account = account
    self.report = report
  }

  /// Returns the file of a request. Its content is read while the request is sent.
  /// - Parameter media: the file that the form contains.
  /// - Throws: `.badContent` if the user chose a different file, or the file has changed since then.
  func file(of form: FileForm, from media: PostMedia) throws(OperationError) -> FileForm.OpenFile {
    let attachment = try attachment(media)
    let name = RandomName.make(using: &generator) + (attachment.type.map { ".\($0.fileExtension)" } ?? "")
    let start = form.range.lowerBound
    sent.withLock { $0 = 0 }
    let sent = sent
    return FileForm.OpenFile(
      content: unsafe MultipartForm.File(field: form.field, name: name, type: form.type, size: form.range.count) {
        unsafe try attachment.read(at: start + $0, into: $1)
      },
      progress: { count in sent.withLock { $0 = count } })
  }

  private func attachment(_ media: PostMedia) throws(OperationError) -> PostAttachment {
    if let open, open.media == media { return open.file }
    open = nil
    do throws(AttachmentError) {
      let attachment = try PostAttachment(media)
      open = (media, attachment)
      return attachment
    } catch { throw OperationError(.badContent, "\(error)") }
  }

  /// Closes the file.
  func close() { open = nil }

  // MARK: Progress

  /// The upload in progress.
  var progress: UploadProgress? {
    guard let running else { return nil }
    var progress = running.progress
    // The form is a little larger than the file.
    progress.done += min(sent.withLock { $0 }, running.count)
    return progress
  }

  /// Begins to report the progress.
  /// - Parameter count: the number of file bytes that the request sends.
  func begin(_ intent: PostIntent, file index: Int, sending count: Int) {
    let now = account.clock.now
    let sizes = intent.draft.media.map(\.size)
    let done = zip(intent.uploads, sizes).reduce(0) { $0 + $1.0.stage(at: now).sent(of: $1.1) }
    let progress = UploadProgress(
      post: intent.id.text, file: index + 1, files: sizes.count, done: done, total: sizes.reduce(0, +))
    running = (progress, count)
    if count > 0 { tick() }
  }

  /// Reports the progress one last time, and stops reporting.
  func end() {
    ticker?.set(nil)
    if let progress { report(progress) }
    running = nil
    report(nil)
  }

  private func tick() {
    guard let progress else { return }
    report(progress)
    if ticker == nil { ticker = try? Alarm(on: account.queue) { [weak self] in self?.tick() } }
    ticker?.set(.now + Self.interval)
  }
}
