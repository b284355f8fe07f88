package import HTTP
internal import Platform

extension StreamedBody {
  /// A form with a file, for one request. Its `Content-Type` is ``MultipartForm/contentType``.
  /// - Parameter progress: receives how many bytes of the body were sent, at most `form.size`. Called on the client's thread after each part
  ///   of at most 256 KiB, so it must return at once.
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
