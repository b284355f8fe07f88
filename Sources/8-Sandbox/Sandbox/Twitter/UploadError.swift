/// The reason for refusing an upload request.
struct UploadError: Error {
  let message: String
}
