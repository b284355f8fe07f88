internal import HTTPClient
internal import Posting
internal import Providers
internal import Time

/// Uploads the files of posts before the posts are sent.
extension OutboxSender {
  /// Sends the next request of an upload, if one is needed before the post. Other jobs may run between two requests.
  /// - Returns: false once the files have been uploaded.
  func uploads(
    _ intent: PostIntent, _ rules: PostingRules, by attempt: PostAttempt, _ context: JobContext
  ) -> Bool {
    let (media, rules) = (intent.draft.media, rules.media ?? MediaRules())
    let next = intent.pendingUploads(at: account.clock.now).lazy.compactMap { index, stage in
      attempt.provider.mediaRequest(for: media[index], after: stage, rules).map { (index, stage, $0) }
    }.first
    guard let (index, stage, request) = next else { return false }
    upload(intent, rules, file: index, after: stage, request, by: attempt, context)
    return true
  }

  /// Sends a request of an upload.
  /// - Parameter isOlder: whether this is the request for older servers, which is sent if the server does not support the other request.
  private func upload(
    _ intent: PostIntent, _ rules: MediaRules, file index: Int, after stage: MediaStage, _ request: ClientRequest,
    isOlder: Bool = false, by attempt: PostAttempt, _ context: JobContext
  ) {
    let media = intent.draft.media
    var intent = intent
    var request = request
    do throws(OperationError) {
      if case .form(var form) = request.body {
        form.file = try uploader.file(of: form, from: media[index])
        request.body = .form(form)
      }
    } catch {
      return end(&intent, refusing: error.message, context)
    }
    intent.beginUpload(at: account.clock.now)
    do throws(OperationError) { try write(intent) } catch { return fail(error, context) }
    uploader.begin(intent, file: index, sending: request.streamedSize)
    attempt.perform(request, costing: account.spending.cost(ofUploadAfter: stage)) { [intent] result in
      self.uploader.end()
      do throws(OperationError) {
        // The user may have discarded the post, or asked to send it again.
        guard try self.intents().contains(intent) else { return self.work(context) }
      } catch { return self.fail(error, context) }
      if case .success(let response) = result, response.status == 404, !isOlder,
        let older = attempt.provider.olderMediaRequest(for: media[index], after: stage)
      {
        return self.upload(intent, rules, file: index, after: stage, older, isOlder: true, by: attempt, context)
      }
      self.handle(
        result.map { attempt.provider.mediaResult(from: $0, for: media[index], after: stage, rules) },
        ofFile: index, intent, context)
    }
  }

  private func handle(
    _ result: Result<MediaResult, OperationError>, ofFile index: Int, _ intent: PostIntent, _ context: JobContext
  ) {
    var intent = intent
    switch result {
    case .failure(let failure) where failure.kind == .badContent: end(&intent, refusing: failure.message, context)
    case .failure(let failure): postpone(&intent, failure, context)
    case .success(.refused(let reason)):
      end(&intent, refusing: "\(intent.draft.media[index].path): \(reason)", context)
    case .success(.postponed(let reason, let until)):
      postpone(&intent, OperationError(.tryAgain(at: until), reason), context)
    case .success(.withoutLogin(let reason)): postpone(&intent, OperationError(.notAuthorised, reason), context)
    case .success(.reached(let stage, let pause, let lifetime)):
      intent.reach(stage, ofFile: index, after: pause, lifetime: lifetime, at: account.clock.now)
      do throws(OperationError) { try write(intent) } catch { return fail(error, context) }
      context.end()
      resume()
    }
  }
}
