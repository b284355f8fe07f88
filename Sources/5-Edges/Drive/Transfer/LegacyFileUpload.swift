internal import Cryptography
internal import HTTPClient
internal import HomelineOAuth
package import Platform

/// Uploads one file with the 2013 API, in one request. The methods block, so an upload needs its own thread.
package struct LegacyFileUpload {
  private let connection: DriveConnection
  private let file: LocalFile
  private let target: DrivePath
  private let mount: String
  private let progress: TransferProgress.File

  package init(
    _ file: LocalFile, to target: DrivePath, mount: String, by connection: DriveConnection,
    progress: TransferProgress.File
  ) {
    self.file = file
    self.connection = connection
    self.progress = progress
    self.target = target
    self.mount = mount
  }

  /// - Throws: ``DriveError``. The 2013 API cannot resume an upload.
  package func run() throws(DriveError) {
    let response = try connection.call { (api, _) throws(DriveError) in
      try LegacyUpload(api, target, mount: mount).server()
    }
    let server = try connection.hosts.uploadServer(try LegacyUpload.server(response))
    let boundary: String
    do throws(CryptographyError) { boundary = "homeline-\(try Nonce.random().text)" } catch {
      throw DriveError(.local, "\(error)")
    }
    try connection.withValidToken { (api) throws(DriveError) in
      let form = try LegacyUpload(api, target, mount: mount).form(server: server, boundary: boundary)
      try connection.send(form.request, body: body(of: form)).check()
    }
    guard file.isUnchanged else {
      throw DriveError(.changed, "\(file.path) changed while it was being sent; run the command again")
    }
    progress.set(file.size)
  }

  /// Returns the body of the form: the head, the file and the tail.
  private func body(of form: LegacyUpload.Form) -> StreamedBody {
    let content = file.body(0..<file.size) { [progress] in progress.add($0) }
    let parts = [StreamedBody(form.head), content, StreamedBody(form.tail)]
    return StreamedBody(joining: parts)
  }
}
