/// The form of a successful response.
package enum ControlResponseForm: Sendable {
  /// One JSON document.
  case document
  /// One event per line: events of these types and `NoticeEvent`s, and finally an `EndEvent`.
  case events([any ControlEvent.Type])
  /// Status 204, without content.
  case nothing
}
