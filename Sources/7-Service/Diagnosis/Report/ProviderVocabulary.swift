/// The vocabulary that a report keeps from a server's messages. Everything else in a message may be a name, a post or a place.
///
/// The list contains terms from the APIs' common error messages. None identifies anyone, unless it is the user's name, which the caller
/// hides first.
enum ProviderVocabulary {
  /// Returns whether a word identifies nobody and nothing. A number of up to three digits can be a status or a limit.
  static func isHarmless(_ word: some StringProtocol) -> Bool {
    if word.utf8.count <= 3, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return all.contains(word.lowercased())
  }

  private static let all: Set<String> = Set(
    """
    a about above accept accepted access account accounts action activated active activity addition address again all allowed already also
    an and another any api app application applications are argument arguments as at attached attachment attachments attempt auth
    authenticate authenticated authentication authorisation authorise authorised authorization authorize authorized available away
    back bad banned be because bearer been before being below blank blocked body both browser but by
    call callback can cannot caption certificate challenge changed character characters check client clients closed code codes command
    configuration configured confirm confirmed connect connection consumer contact contain contains content control could count create
    created credential credentials current currently
    daily data database date day days deactivated deleted denied deprecated description detail details developer device did different
    digits disabled disallowed does done down duplicate
    e each either email empty enabled encoding end ended endpoint endpoints entity equal error errors exceed exceeded exceeds exist exists
    expire expired expires external
    fail failed failure false feature field fields file files flow follow following for forbidden form format found from full further
    gateway get given gone grant granted granular group guest
    had has have having header headers here host hour hours html http https
    i id identifier identity if image images in inactive incorrect insufficient internal into invalid invalidated is issue issued issuer it its
    json
    key keys kind known
    larger last later least left length less level library limit limited limits link list load locked log logged login long longer
    made maintenance malformed many match maximum may media message method minimum minute minutes mismatch missing moment month more moved
    much must
    name names need needed needs network never new next no node nonce none not note now null number
    oauth object of off offline offset old on once one only open operation or origin original other out outdated over overloaded own
    page parameter parameters parse part password payload pending per period permanently permission permissions permitted plan please poll
    possible post posted posts prefix present private problem process processed processing processor profile project prompt protected
    protocol provide provided provider proxy public
    query queue quota
    range rate rates reached read reason received record redirect refresh refused registered registration reject rejected remaining
    remote remove removed renew repeated replaced reply request requested requests require required requires reset resource response
    restricted result retry revoked right rights
    same save scope scopes second seconds secret security see send sent server servers service session set setting should sign signature
    signed size slow slower some something soon source spam state status statuses step still stopped storage stored string subject such
    support supported suspended system
    temporarily temporary terms text than that the then there these they this time timed timeline timeout times timestamp to token tokens
    too total traffic true try trying type
    unable unauthenticated unauthorised unauthorized unavailable under undefined unexpected unknown unprocessable unsupported until up
    update upgrade upload uploaded upstream uri url usage use used user users using
    valid validation value values verification verified verifier verify version via video visibility
    wait was way we web website went were what when where which while will window with within without word work worked working
    write wrong
    x
    yet you your
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
