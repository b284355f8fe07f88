/// The table of all pages, except those for entering.
enum WebPages {
  static func routes(_ data: WebData, _ changes: WebChanges, _ drafts: DraftStore) -> [Route] {
    let own = OwnActs()
    return HomePage(data: data).routes + AccountPage(data: data, own: own).routes
      + ThreadPage(data: data, own: own).routes + ViewPage(data: data, own: own).routes
      + SearchPage(data: data, own: own).routes + ActPages(data: data, changes: changes, own: own).routes
      + StatusPage(data: data, changes: changes).routes + PicturePages(data: data).routes
      + WritingPage(data: data, changes: changes, drafts: drafts).routes
      + OutboxPage(data: data, changes: changes).routes
  }
}
