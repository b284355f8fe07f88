internal import ControlProtocol
internal import JSON
internal import Platform
internal import TerminalText

/// Prints the timelines that a server offers, in two columns: the name as the configuration contains it, and what is known about it.
struct TimelinesDisplay: EventDisplay {
  private var timelines: [TimelineEvent] = []

  /// The maximum width of the first column. Longer names move their second column.
  private static let widestName = 28

  mutating func show(_ event: any ControlEvent) {
    if let timeline = event as? TimelineEvent { timelines.append(timeline) }
    if let notice = event as? NoticeEvent { Terminal.say("homeline: \(notice.message)") }
  }

  func finish() -> ExitCode {
    let width = min(timelines.map { TextColumns.of(Self.name(of: $0)) }.max() ?? 0, Self.widestName)
    let lines = timelines.map { timeline in
      "\(TextColumns.padded(Self.name(of: timeline), to: width))  \(remarks(on: timeline))\n"
    }
    do throws(SystemError) { try Terminal.answer(lines.joined()) } catch {
      Terminal.say("homeline: could not print the timelines: \(error)")
      return .inputOutput
    }
    return .done
  }

  /// Returns the name as a JSON string, ready to be pasted, or a form without quotation marks.
  private static func name(of timeline: TimelineEvent) -> String {
    if timeline.isForm { return timeline.timeline }
    var json = JSONWriter()
    json.string(timeline.timeline)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func remarks(on timeline: TimelineEvent) -> String {
    var remarks: [String] = []
    if let configured = timeline.configured {
      remarks.append(configured == timeline.timeline ? "configured" : "configured as \(configured)")
    }
    if let id = timeline.id, let title = timeline.title {
      if timeline.timeline.hasSuffix(":\(title)") {
        remarks.append("id \(id)")
      } else {
        let isShared = timelines.count { $0.title == title } > 1
        remarks.append("“\(title)”\(isShared ? ", a title of several lists" : "")")
      }
    }
    if timeline.isExclusive { remarks.append("exclusive: its members’ posts are not in home") }
    if timeline.isFollowed { remarks.append("followed") }
    switch timeline.state {
    case .offered where timeline.isForm && timeline.message == nil: remarks.append("any")
    case .offered: if remarks.isEmpty, timeline.message == nil { remarks.append("offered") }
    case .missing: remarks.append("not offered")
    case .switchedOff: remarks.append("switched off")
    case .notPermitted: if timeline.message == nil { remarks.append("not permitted") }
    case .unknown: remarks.append("unknown")
    }
    let text = remarks.joined(separator: ", ")
    return [text, timeline.message ?? ""].filter { !$0.isEmpty }.joined(separator: ". ")
  }
}
