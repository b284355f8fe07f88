internal import Accounts
package import ControlProtocol
internal import HTTP
internal import Platform

extension WebPageRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlError) {
    guard let web = context.delegate.webPage else {
      throw ControlError(
        .conflict, exit: .temporary, "this process does not serve the web page: it exits when its command is done")
    }
    responder.openStream()
    do throws(OperationError) {
      responder.send(try web(action))
      responder.end(.success(()))
    } catch { responder.end(.failure(error)) }
  }
}
