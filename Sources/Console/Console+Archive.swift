internal import Commands
internal import Control
internal import Platform
internal import Settings

/// The commands about what is kept.
extension Console {
  func mark(_ arguments: Command.Mark) throws(ControlClientError) -> ExitCode {
    close(
      try client.events(of: .mark(ControlRequest.Mark(account: arguments.account?.text, upTo: arguments.upTo))) {
        event in
        switch event {
        case .marked(let mark):
          let words = mark.upTo.map { "read up to \($0)" } ?? "no post to read"
          try? Terminal.answer("\(mark.account): \(words), \(mark.unread) unread\n")
        case .notice(let sentence): Terminal.say("homeline: \(sentence)")
        default: break
        }
      })
  }

  func purge(_ arguments: Command.Purge) throws(ControlClientError) -> ExitCode {
    let what: ControlRequest.Removal.What =
      switch arguments.what {
      case .post(let id): .post(id)
      case .author(let name): .author(name)
      case .before(let moment): .before(moment)
      case .everything: .everything
      }
    let asked = ControlRequest.Removal(account: arguments.account?.text, what: what, isDryRun: arguments.isDryRun)
    var bar = ProgressBar(of: ("post examined", "posts examined"), bringing: ("post removed", "posts removed"))
    let end = try client.events(of: .purge(asked)) { event in
      switch event {
      case .progress(let progress): bar.show(progress)
      case .purged(let report):
        bar.clear()
        let verb = arguments.isDryRun ? "would be removed" : "removed"
        try? Terminal.answer("\(report.account): \(Self.parts(of: report)) \(verb)\n")
      case .notice(let sentence):
        bar.clear()
        Terminal.say("homeline: \(sentence)")
      default: break
      }
    }
    bar.clear()
    return close(end)
  }

  /// `3 posts and 1 quotation in another post`
  static func parts(of report: ControlEvent.Purged) -> String {
    let posts = "\(report.posts) \(report.posts == 1 ? "post" : "posts")"
    switch report.quotes {
    case 0: return posts
    case 1: return "\(posts) and 1 quotation in another post"
    default: return "\(posts) and \(report.quotes) quotations in other posts"
    }
  }

  /// - Parameter arguments: with a file that was staged in the account's data folder.
  func take(_ arguments: Command.Import) throws(ControlClientError) -> ExitCode {
    let name = arguments.file.split(separator: "/").last.map(String.init) ?? ""
    var bar = ProgressBar(of: ("post read", "posts read"), bringing: ("new post", "new posts"))
    let end = try client.events(
      of: .importing(ControlRequest.Import(account: arguments.account?.text, file: name))
    ) { event in
      switch event {
      case .progress(let progress): bar.show(progress)
      case .imported(let report):
        bar.clear()
        let known = report.known == 0 ? "" : ", \(report.known) \(report.known == 1 ? "was" : "were") kept already"
        try? Terminal.answer(
          "\(report.account): \(report.new) \(report.new == 1 ? "post" : "posts") imported\(known)\n")
      case .notice(let sentence):
        bar.clear()
        Terminal.say("homeline: \(sentence)")
      default: break
      }
    }
    bar.clear()
    return close(end)
  }
}
