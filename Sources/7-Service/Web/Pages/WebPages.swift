/// The table of all pages, except those for entering.
enum WebPages {
  static func routes(_ data: WebData, _ changes: WebChanges) -> [Route] {
    HomePage(data: data).routes + AccountPage(data: data).routes + ThreadPage(data: data).routes
      + ViewPage(data: data).routes + SearchPage(data: data).routes + StatusPage(data: data).routes
      + PicturePages(data: data).routes
  }
}
