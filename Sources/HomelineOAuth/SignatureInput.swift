/// Everything that a signature covers: what is told of it later is collected anew from here, in the way in which it was signed.
struct SignatureInput: Sendable, Hashable {
  let own: ProtocolParameters
  let stamp: Stamp
  /// Further protocol parameters of this request alone.
  let additional: [Parameter]
  let request: SignableRequest

  /// Collects and sorts the parameters.
  ///
  /// - Throws: ``FormError`` when the query cannot be read.
  @inline(__always)
  func collect(in list: inout ParameterList) throws(FormError) {
    list.removeAll()
    own.append(to: &list, stamp: stamp)
    let sorted = list.entries.count
    list.append(additional, isSent: true)
    try request.append(to: &list)
    list.sort(behind: sorted)
  }

  /// The same for input that was signed, and so can be read.
  func withCollected<R>(_ body: (inout ParameterList) -> R) -> R {
    var list = ParameterList()
    do throws(FormError) { try collect(in: &list) } catch {
      preconditionFailure("signed, and cannot be read: \(error)")
    }
    return body(&list)
  }
}
