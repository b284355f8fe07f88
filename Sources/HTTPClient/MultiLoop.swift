internal import CCurl
internal import Platform

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

  init(inbox: Inbox) { self.inbox = inbox }

  /// Runs until the inbox is closed and all transfers are cancelled, or until libcurl cannot be loaded.
  func run() {
    if let message = CurlLibrary.start() { return reject(inbox.giveUpThread(), message) }
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

  private func reject(_ orders: [Inbox.Order], _ message: String) {
    for case .begin(let transfer, _) in orders { transfer.fail(message) }
  }

  private func begin(_ transfer: Transfer, ticket: Int, _ multi: UnsafeMutableRawPointer) {
    var route: CheckedRoute?
    if let policy = transfer.request.addressPolicy {
      do throws(CheckedRoute.ForbiddenHostError) {
        route = try CheckedRoute(transfer.request, policy: policy, proxies: transfer.policy.proxies)
      } catch { return transfer.fail(error.reason, .forbidden) }
    }
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
      entry.handle.finish(code)
      if idle.count < 4 { idle.append(entry.handle) }
    }
  }
}

/// The libcurl library, which is loaded on first use.
package enum CurlLibrary {
  /// The error thrown if libcurl cannot be loaded.
  package struct LoadError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The version (`curl_version(3)`), such as `libcurl 7.88.1`. Reading it loads the library.
  package static var version: Result<String, LoadError> {
    if let message = start() { return .failure(LoadError(description: message)) }
    let text = unsafe String(cString: curl_version())
    return .success(String(text.prefix { $0 != " " }).replacing("/", with: " "))
  }

  /// Whether the library is loaded. The lock is held while a thread loads it.
  private static let isLoaded = Locked(false)

  /// Loads and initialises libcurl unless this has already been done (`dlopen(3)`, `curl_global_init(3)`). Loading takes a few
  /// milliseconds, because libcurl depends on dozens of libraries.
  /// - Returns: an error message; nil on success.
  static func start() -> String? {
    isLoaded.withLock { isLoaded in
      guard !isLoaded, let failure = unsafe ccurl_start() else {
        isLoaded = true
        return nil
      }
      let message = unsafe String(cString: failure)
      return "libcurl cannot be used: \(message); install the package libcurl4, or its equivalent on your system"
    }
  }
}
