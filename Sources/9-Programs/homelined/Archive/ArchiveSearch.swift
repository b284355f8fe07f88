internal import Commands
internal import Folders
internal import Formats
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import StorageSQLite
internal import TerminalText
internal import Time
internal import Timeline

extension Command.Search: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let form = context.environment.terminalForm
    let search = ArchiveSearch(
      arguments: self, archives: try context.archives(), configuration: try context.configurationFiles(),
      highlights: form.isColoured,
      writer: ShownPostWriter(
        format: format, plain: PlainText(at: WallClock.system.now, form: form), marksUnread: false, showsIDs: showsIDs))
    return try context.write(try search.output(), isPaged: usesPager)
  }
}

/// Finds the newest posts that match a query in one archive or in all archives.
struct ArchiveSearch {
  let arguments: Command.Search
  let archives: Archives
  /// Used to find a named timeline.
  let configuration: ConfigurationFiles
  /// Whether the places that match the query are highlighted.
  let highlights: Bool
  let writer: ShownPostWriter

  func output() throws(CommandError) -> CommandOutput {
    let query: SearchQuery
    do throws(SearchQueryError) { query = try SearchQuery(arguments.query) } catch {
      throw CommandError(error)
    }
    let accounts = try archives.accounts(arguments.account?.account)
    // Without a timeline's name, posts that only private timelines contain are not found.
    let scope: ArchiveScope =
      try archives.timeline(arguments.account, configuration).map { .timeline($0) } ?? .withoutPrivate
    var hits: [Hit] = []
    var notes: [String] = []
    var code = ExitCode.done
    for account in accounts {
      do throws(CommandError) { hits += try self.hits(query, in: account, scope) } catch {
        // An unreadable archive does not prevent searching the others.
        if accounts.count == 1 { throw error }
        notes.append("\(account): \(error.message)")
        code = code.worse(error.exitCode)
      }
    }
    hits.sort { ($0.post.createdAt, $0.account, $0.mark) > ($1.post.createdAt, $1.account, $1.mark) }
    hits = Array(hits.prefix(arguments.limit))
    if hits.isEmpty { notes.append("no posts found") }
    return CommandOutput(
      try output(of: hits, query, namesAccounts: accounts.count > 1), notes: notes, code: code)
  }

  private struct Hit {
    let account: AccountName
    let mark: PostPosition
    let post: Post
    let json: [UInt8]
  }

  private func hits(
    _ query: SearchQuery, in account: AccountName, _ scope: ArchiveScope
  ) throws(CommandError) -> [Hit] {
    let database = try archives.open(account)
    defer { database.close() }
    var found: [KnownPost]
    do throws(StorageError) {
      found = try database.search(
        query, since: arguments.since, until: arguments.until, author: arguments.author, in: scope,
        limit: arguments.limit)
      if arguments.includesFiltered {
        found += try database.searchFiltered(
          query, since: arguments.since, until: arguments.until, author: arguments.author, in: scope,
          limit: arguments.limit)
      }
    } catch { throw Archives.failure(error) }
    return found.compactMap { known in
      (try? PostJSON.read(known.json)).map { Hit(account: account, mark: known.mark, post: $0, json: known.json) }
    }
  }

  private func output(
    of hits: [Hit], _ query: SearchQuery, namesAccounts: Bool
  ) throws(CommandError) -> ProgramOutput {
    var matches: [PostMatches]?
    if highlights, arguments.format == .text {
      do throws(StorageError) { matches = try MatchFinder.matches(of: query, in: hits.map(\.post)) } catch {
        throw Archives.failure(error)
      }
    }
    let posts = hits.enumerated().map { index, hit in
      ShownPost(
        post: hit.post, json: PostJSON.bytes(hit.json, account: hit.account.text),
        account: namesAccounts ? hit.account.text : nil, hasGapBelow: false, isUnread: false, origin: hit.account,
        matches: matches?[index] ?? PostMatches())
    }
    return arguments.showsThreads
      ? writer.output(of: PostThreads(of: posts, answered: AnsweredPosts(archives))) : writer.output(of: posts)
  }
}
