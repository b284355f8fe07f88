/// The table of all pages, except those for entering.
enum WebPages {
  static func routes(_ data: WebData) -> [Route] {
    HomePage(data: data).routes + PicturePages(data: data).routes
  }
}
