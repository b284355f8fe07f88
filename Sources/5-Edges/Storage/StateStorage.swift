/// Writes an account's state.
package protocol StateStorage: AnyObject {
  func write(_ state: AccountState, expecting revision: Revision) throws(StorageError) -> Revision
}
