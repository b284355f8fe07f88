internal import CivilTime
internal import Commands
internal import Publish

extension Surroundings {
  /// What may be written to where output goes, at this moment: a terminal may be made wider.
  var terminalForm: TerminalForm {
    TerminalForm(
      columns: outputColumns.map(TerminalForm.textColumns), isColoured: showsColour, hasLinks: showsLinks)
  }

  /// For posts that are shown at this moment.
  func postWriter(for arguments: Command.Show, at now: Timestamp) -> ShownPostWriter {
    let form = terminalForm
    return ShownPostWriter(
      format: arguments.format, plain: PlainText(at: now, form: form),
      marksUnread: form.columns != nil && !arguments.onlyUnread && !arguments.follows)
  }
}
