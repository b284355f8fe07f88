/// The text of a post, which stays within its box whatever it is made of.
enum PageBody {
  /// - Parameter language: a BCP 47 tag; one that is not, or `nil`, is said to be unknown (HTML Standard §3.2.6.2), since the page
  ///   itself is in English.
  static func html(of text: String, language: String?) -> String {
    guard text.contains(where: { !$0.isWhitespace }) else { return "" }
    return "<div class=\"text\" dir=\"auto\" lang=\"\(tag(language))\">\(LinkedText.html(of: text))</div>\n"
  }

  private static func tag(_ language: String?) -> String {
    guard let language, language.utf8.count <= 35 else { return "" }
    let isTag = language.utf8.allSatisfy { byte in
      switch byte {
      case 0x2d, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: false
      }
    }
    return isTag ? language : ""
  }
}
