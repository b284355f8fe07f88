internal import Folders
internal import HTTP
internal import PublishedFiles

/// `/m/TABLE/NAME`: the stored pictures, which the pages show. No picture is fetched because somebody looks at it.
struct PicturePages: Sendable {
  let data: WebData

  var routes: [Route] {
    [
      .get("/m/{table}/{name}") { [self] (request) throws(WebError) in
        try picture(request[parameter: "name"], in: request[parameter: "table"])
      }
    ]
  }

  private func picture(_ name: String, in table: String) throws(WebError) -> WebResponse {
    let folder = data.layout.mediaFolder
    guard let picture = PictureName(fileName: name), picture.path(in: folder) == "\(folder)/\(table)/\(name)" else {
      throw .notFound
    }
    let result: Result<FileResponse, any Error> = Result {
      // An open file can be removed meanwhile; its bytes stay.
      try MediaReading.during(folder) {
        try FileResponse(picture.path(in: folder), picture.mediaType, .forever)
      }
    }
    do { return .file(try result.get()) } catch let error as WebError { throw error } catch {
      throw WebError(.serviceUnavailable, "The picture cannot be read", "\(error)")
    }
  }
}

extension PictureName {
  fileprivate var mediaType: FieldValue {
    switch type {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .avif: "image/avif"
    }
  }
}
