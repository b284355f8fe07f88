internal import HTTPClient
internal import Platform
internal import Providers
internal import PublishedFiles

/// Fetches one picture with an unsigned request, in a job on an account's queue. If any other job arrives, this job ends: the bytes
/// received are kept, and the download is resumed later.
final class MediaJob {
  package enum Outcome {
    case kept
    /// The picture is not available or cannot be stored. It is not requested again for some time.
    case refused
    /// The download was interrupted.
    case brokenOff
    /// No server could be reached.
    case unreachable
    /// This program cancelled the download.
    case givenUp
  }

  /// The maximum size of a picture to fetch, about ten times the size of most pictures on a page.
  static let byteLimit = 8 << 20
  private static let redirects = 3
  private static let types = "image/avif,image/webp,image/png,image/jpeg,image/gif"

  private let claim: MediaClaim
  private let store: MediaStore
  private let account: Account
  private let context: JobContext
  private let completion: (Outcome) -> Void
  /// The picture's URL for the log, without its query, which may contain private data.
  private let place: String

  /// Begins the job. Call on the account's queue. The completion is called once, on the same queue, after the job has ended.
  package static func begin(
    _ claim: MediaClaim, from store: MediaStore, of account: Account, _ context: JobContext,
    completion: @escaping (Outcome) -> Void
  ) {
    let job = MediaJob(claim, from: store, of: account, context, completion: completion)
    let address = MediaAddress(provider: account.provider.host, privateHosts: account.core.dependencies.privateHosts)
    guard let url = address.asked(for: claim.url) else {
      return account.queue.later { job.refuse("its URL is not allowed") }
    }
    job.start(url, address)
  }

  private init(
    _ claim: MediaClaim, from store: MediaStore, of account: Account, _ context: JobContext,
    completion: @escaping (Outcome) -> Void
  ) {
    self.claim = claim
    self.store = store
    self.account = account
    self.context = context
    self.completion = completion
    place = String(claim.url.prefix { $0 != "?" && $0 != "#" })
  }

  private func start(_ url: String, _ address: MediaAddress) {
    let rules = DownloadRules(
      byteLimit: Self.byteLimit, accepts: Self.types, redirects: Self.redirects, addressPolicy: address.reach,
      allows: { address.mayAsk($0) })
    let part = claim.part.map { DownloadPart(bytes: $0.bytes, validator: $0.validator) }
    let download = Download(url, after: part, rules, by: account.core.dependencies.transport, on: account.queue) {
      self.take($0)
    }
    context.onCancel { download.cancel() }
    context.onGivingWay { download.cancel() }
  }

  private func take(_ outcome: Download.Outcome) {
    switch outcome {
    case .complete(let bytes): keep(bytes)
    case .refused(let why): refuse(why)
    case .unfinished(let part): breakOff(part, "the server sent only part of what was missing", .brokenOff)
    case .interrupted(let part, let error):
      switch error.kind {
      case .cancelled: breakOff(part, "interrupted for more urgent work", .givenUp)
      case .unreachable,
        .timedOut where part == nil:
        breakOff(part, "\(error)", .unreachable)
      default: breakOff(part, "\(error)", .brokenOff)
      }
    }
  }

  private func keep(_ bytes: [UInt8]) {
    switch store.store(bytes, of: claim) {
    case .stored(let name):
      account.log(.debug, "picture \(place): \(bytes.count) bytes, stored as \(name.fileName)")
      end(.kept)
    case .notAPicture:
      account.log(.info, "picture \(place): the data is not JPEG, PNG, GIF, WebP or AVIF, so it was not stored")
      end(.refused)
    case .full:
      account.log(.info, "picture \(place): it does not fit within media.megabytes")
      end(.refused)
    case .failed: end(.refused)
    }
  }

  private func refuse(_ why: String) {
    account.log(.debug, "picture \(place): \(why)")
    store.fail(claim)
    end(.refused)
  }

  private func breakOff(_ part: DownloadPart?, _ why: String, _ outcome: Outcome) {
    account.log(.debug, "picture \(place): \(part?.bytes.count ?? 0) bytes so far; \(why)")
    let isOurs = if case .givenUp = outcome { true } else { false }
    store.interrupt(
      claim, part.map { MediaClaim.Part(bytes: $0.bytes, validator: $0.validator) }, isFailure: !isOurs)
    end(outcome)
  }

  private func end(_ outcome: Outcome) {
    context.end()
    completion(outcome)
  }
}
