internal import CCurl

/// The event loop of the client's thread, which runs all transfers (libcurl-multi(3)).
///
/// The thread sleeps in `curl_multi_poll(3)` while no transfer is running. Dispatch sources are not used, because libcurl closes a socket
/// before the source's cancellation has finished, and events for a reused descriptor number would be lost.
final class MultiLoop {
  private let inbox: Inbox
  /// The running transfers by the addresses of their handles.
  private var running: [UInt: (handle: EasyHandle, ticket: Int)] = [:]
  /// Unused handles, kept for further transfers. Their number is limited, because each handle needs about 30 KB.
  private var idle: [EasyHandle] = []
  /// Servers whose `Content-Encoding` names no coding. libcurl refuses their responses unless it decodes nothing.
  private var uncodedServers: Set<String> = []

  init(inbox: Inbox) { self.inbox = inbox }

  /// Runs until the inbox is closed and all transfers are cancelled, or until libcurl cannot be loaded.
  func run() {
    if let message = CurlLibrary.start() { return refuse(inbox.giveUpThread(), message) }
    let multi = unsafe inbox.makeMulti()
    while true {
      for order in inbox.takeAll() {
        switch order {
        case .begin(let transfer, let ticket): unsafe begin(transfer, ticket: ticket, multi)
        case .cancel(let ticket): unsafe cancel(ticket, multi)
        case .stop:
          for entry in running.values {
            unsafe curl_multi_remove_handle(multi, entry.handle.raw)
            entry.handle.cancel()
          }
          return
        }
      }
      var active: Int32 = 0
      unsafe curl_multi_perform(multi, &active)
      unsafe collectFinished(multi)
      // The timeout is the longest possible, because the inbox wakes this call.
      unsafe curl_multi_poll(multi, nil, 0, Int32.max, nil)
    }
  }

  private func refuse(_ orders: [Inbox.Order], _ message: String) {
    for case .begin(let transfer, _) in orders { transfer.fail(message) }
  }

  private func begin(_ transfer: Transfer, ticket: Int, _ multi: UnsafeMutableRawPointer) {
    var route: CheckedRoute?
    if let policy = transfer.request.addressPolicy {
      do throws(CheckedRoute.ForbiddenHostError) {
        route = try CheckedRoute(transfer.request, policy: policy, proxies: transfer.policy.proxies)
      } catch { return transfer.fail(error.reason, .forbidden) }
    }
    if uncodedServers.contains(transfer.request.server) { transfer.makeVerbatim() }
    let handle = idle.popLast() ?? EasyHandle()
    handle.prepare(transfer, by: route)
    running[handle.name] = (handle, ticket)
    unsafe curl_multi_add_handle(multi, handle.raw)
  }

  private func cancel(_ ticket: Int, _ multi: UnsafeMutableRawPointer) {
    guard let (name, entry) = running.first(where: { $0.value.ticket == ticket }) else { return }
    unsafe curl_multi_remove_handle(multi, entry.handle.raw)
    running[name] = nil
    entry.handle.cancel()
  }

  private func collectFinished(_ multi: UnsafeMutableRawPointer) {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let raw = unsafe message.pointee.easy_handle else { continue }
      let code = unsafe ccurl_message_result(message)
      unsafe curl_multi_remove_handle(multi, raw)
      guard let entry = running.removeValue(forKey: UInt(bitPattern: raw)) else { continue }
      // A server that compresses without being asked is asked to compress again.
      if !uncodedServers.isEmpty, let transfer = entry.handle.transfer, transfer.codings.isCompressed {
        uncodedServers.remove(transfer.request.server)
      }
      let repeated = code == CURLE_BAD_CONTENT_ENCODING ? noteCodings(entry.handle) : nil
      if repeated == nil { entry.handle.finish(code) } else { entry.handle.release() }
      if idle.count < 4 { idle.append(entry.handle) }
      if let repeated { unsafe begin(repeated, ticket: entry.ticket, multi) }
    }
  }

  /// Remembers a server whose response cannot be decoded because its `Content-Encoding` names no coding.
  /// - Returns: the transfer, to be sent again without compression; nil if the request must not be repeated.
  private func noteCodings(_ handle: EasyHandle) -> Transfer? {
    guard let transfer = handle.transfer, !transfer.request.rules.isVerbatim, transfer.codings.arePlain else {
      return nil
    }
    if uncodedServers.count < 1_000 { uncodedServers.insert(transfer.request.server) }
    guard transfer.isRepeatable else { return nil }
    transfer.makeVerbatim()
    return transfer
  }
}
