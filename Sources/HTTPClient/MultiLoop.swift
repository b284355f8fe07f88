internal import CCurl
internal import Platform

/// The loop of the client's thread: transfers begin, go on and end here (libcurl-multi(3)).
///
/// The thread sleeps in `curl_multi_poll(3)` while nothing is under way. Sources on Dispatch queues are not used: libcurl closes a
/// socket before a source's cancellation has finished, and events on the reused number get lost.
final class MultiLoop {
  private let inbox: Inbox
  /// By the handle's name.
  private var running: [UInt: (handle: EasyHandle, ticket: Int)] = [:]
  /// Handles that have nothing to do, kept for the next transfer. Few: each holds some 30 KB.
  private var idle: [EasyHandle] = []

  init(inbox: Inbox) { self.inbox = inbox }

  /// Runs until the inbox is closed and everything under way has been given up, or the library turns out to be missing.
  func run() {
    if let words = CurlLibrary.start() { return refuse(inbox.giveUpThread(), words) }
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
      // Woken by the inbox at once; the time here is only the longest sleep that the call can be asked for.
      unsafe curl_multi_poll(multi, nil, 0, Int32.max, nil)
    }
  }

  private func refuse(_ orders: [Inbox.Order], _ words: String) {
    for case .begin(let transfer, _) in orders { transfer.refuse(words) }
  }

  private func begin(_ transfer: Transfer, ticket: Int, _ multi: UnsafeMutableRawPointer) {
    var route: CheckedRoute?
    if let reach = transfer.request.reach {
      do throws(CheckedRoute.Refusal) {
        route = try CheckedRoute(transfer.request, reach: reach, proxies: transfer.policy.proxies)
      } catch { return transfer.refuse(error.words, .forbidden) }
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

/// libcurl itself, which is not there before somebody is asked.
enum CurlLibrary {
  /// One thread at a time loads it.
  private static let isLoaded = Locked(false)

  /// Loads it and sets it up, unless that was done (`dlopen(3)`, `curl_global_init(3)`). It takes some milliseconds: it brings
  /// dozens of libraries with it.
  /// - Returns: why it cannot be used; nil when it can.
  static func start() -> String? {
    isLoaded.withLock { isLoaded in
      guard !isLoaded, let failure = unsafe ccurl_start() else {
        isLoaded = true
        return nil
      }
      let words = unsafe String(cString: failure)
      return "libcurl cannot be used: \(words); install the package libcurl4, or what your system calls it"
    }
  }
}
