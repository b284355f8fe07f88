internal import Accounts
internal import HTTP
internal import JSON
internal import PublishedFiles
internal import Settings
internal import Timeline

/// The events of a stream in their text form (HTML Standard §9.2.5).
enum LiveEvent {
  /// The beginning of a stream: the moment since when nothing is missing in it.
  static func beginning(at moment: String) -> [UInt8] {
    Array("retry: 5000\nid: \(moment)\nevent: beginning\ndata: {}\n\n".utf8)
  }

  /// The end of a stream for which there is no place any more. Its browser waits a minute before it asks for another one.
  static let displaced = Array("retry: 60000\nevent: displaced\ndata: {}\n\n".utf8)

  /// A change, as an object with the address of the page that shows it: `page`. For posts, also the number of `unread` ones and the id of the
  /// `newest` one's element.
  static func change(_ change: ContentChange, at moment: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      switch change {
      case .timeline(let key, let summary): write(&json, WebAddress.timeline(key), summary)
      case .view(let name, let summary): write(&json, WebAddress.view(name), summary)
      case .outbox: json.member("page", WebAddress.outbox.text)
      }
    }
    // The writer escapes line feeds, so the object is one line.
    return Array("id: \(moment)\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
  }

  private static func write(_ json: inout JSONWriter, _ page: WebAddress, _ summary: PublishedSummary) {
    json.member("page", page.text)
    json.member("newest", summary.newest)
    json.member("unread", summary.unread)
  }
}
