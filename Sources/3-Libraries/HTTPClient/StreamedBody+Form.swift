package import HTTP
internal import Platform

extension StreamedBody {
  /// Creates the body of one request from a form with a file. The request's `Content-Type` must be ``MultipartForm/contentType``.
  /// - Parameter progress: receives the number of body bytes that have been sent, at most `form.size`. The closure is called on the
  ///   client's thread after each part of at most 256 KiB, and must return immediately.
  package init(_ form: MultipartForm, progress: @escaping @Sendable (_ sent: Int) -> Void = { _ in }) {
    let offset = Locked(0)
    unsafe self.init(count: form.size) { space in
      let start = offset.withLock { $0 }
      let count = unsafe try form.read(at: start, into: space)
      offset.withLock { $0 = start + count }
      progress(start + count)
      return count
    }
  }
}
