/// The response to a request, apart from the events before its end.
package enum ControlResponse: Sendable, Hashable {
  case refusal(ControlError)
  /// A JSON document.
  case document([UInt8])
  /// The request was carried out, and there is nothing to say about it.
  case nothing
  /// The last event of a stream.
  case end(EndEvent)
}
