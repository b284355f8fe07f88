internal import Dispatch

/// A source that is switched on and off on its queue, and can be cancelled in either position.
///
/// Dispatch counts suspensions, and cancels a suspended source only once it is resumed; this keeps the count.
final class SwitchedSource {
  private let source: DispatchSource
  private var isActivated = false
  private var isCancelled = false

  /// Takes a source that was never activated; it starts switched off.
  init(_ source: DispatchSource) { self.source = source }

  var isOn = false {
    didSet {
      guard isOn != oldValue, !isCancelled else { return }
      if !isOn {
        source.suspend()
      } else if isActivated {
        source.resume()
      } else {
        isActivated = true
        source.activate()
      }
    }
  }

  func cancel() {
    guard !isCancelled else { return }
    isOn = true
    isCancelled = true
    source.cancel()
  }
}
